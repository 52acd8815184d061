// The weekly review as a page: the words of its text, every one escaped where it enters (WH-15).

import { reviewHeadline, reviewText, type WeeklyReview } from '../../shared/domain/weekly-review.ts';
import { escaped } from './report-html.ts';

export function reviewHtml(review: WeeklyReview): string {
  const title = escaped(`Weekly review ${review.week.day}: ${reviewHeadline(review)}`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${title}</title><style>body{font:16px/1.45 system-ui,sans-serif;margin:0 auto;padding:16px;max-width:46rem}main{white-space:pre-wrap;overflow-wrap:anywhere}</style></head>
<body><main>${reviewText(review).split('\n').map(escaped).join('\n')}</main></body></html>
`;
}

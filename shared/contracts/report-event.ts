// The orphan report: what asks for it, what announces it, and what is remembered of it.

import * as z from 'zod/mini';

const described = (description: string) => z.string().check(z.describe(description));
const count = (description: string) => z.int().check(z.describe(description));
const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/), z.describe('Local date of the report, in its zone.'));
const instant = (description: string) =>
  z.pipe(
    z.iso.datetime().check(z.describe(description)),
    z.transform((text) => new Date(text).toISOString()),
  );

/** What the schedule sends. The instant is the one the report was due at, however late it runs. */
export const ReportRequest = z.object({ scheduledAt: z.optional(instant('When the report was due; the present when left out.')) });

/** Detail of an event with source `baton.report` and detail-type `report.published`: the files and the summary stand when it is sent. */
export const ReportPublishedEvent = z.object({
  schemaVersion: z.literal('1').check(z.describe('Version of this contract. Fields are only ever added within a version.')),
  day,
  scheduledAt: instant('When the report was due. The same day and instant may be announced twice; it is one report.'),
  headline: described('The report in one line.'),
  listed: count('How many things need a person.'),
  reconciled: z.boolean().check(z.describe('Whether every signal is accounted for.')),
  review: z.exactOptional(z.literal('week').check(z.describe('It is the review of the week that ended on this day; `listed` counts rules to look at.'))),
});
export type ReportPublishedEvent = z.output<typeof ReportPublishedEvent>;

/** What the table keeps of a day's report: enough to send it by mail without reading the bucket. */
export const ReportSummary = z.object({
  schemaVersion: z.literal('1'),
  day,
  zone: described('Zone of the day and of the times in the text.'),
  scheduledAt: instant('When the report was due.'),
  generatedAt: instant('When the table was read.'),
  headline: described('The report in one line.'),
  listed: count('How many things need a person.'),
  reconciled: z.boolean(),
  counts: z.record(z.string(), z.int()).check(z.describe('Rows by section.')),
  balance: z.record(z.string(), z.int()).check(z.describe('The balance sheet.')),
  files: z.object({ json: described('Address of the JSON file.'), csv: described('Address of the CSV file.'), html: described('Address of the HTML file.') }),
  text: described('The report as plain text, cut to a size that fits a mail.'),
  html: described('The report as a page, cut to a size that fits a mail.'),
});
export type ReportSummary = z.output<typeof ReportSummary>;

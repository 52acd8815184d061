import type { LeadFetch } from '../ports/lead-fetch.ts';
import { metaGraphLeadFetch } from './meta-graph-lead-fetch.ts';
import { secretsmanagerSourceSecrets } from './secretsmanager-source-secrets.ts';
import { systemTime } from './system-time.ts';

/** Answers of Meta leads, with the token of this installation, which stands in a secret under the prefix. */
export const installedLeadFetch = (prefix: string): LeadFetch => metaGraphLeadFetch({ tokens: secretsmanagerSourceSecrets({ arns: {}, prefix }, systemTime) });

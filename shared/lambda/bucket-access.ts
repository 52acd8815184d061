import { env } from './env.ts';
import { defaultProvider as credentials } from './environment-credentials.ts';

/** How a function reaches its buckets: region and credentials as Lambda gives them, and on a laptop the endpoint. */
export const bucketAccess = () => ({ region: env('AWS_REGION'), endpoint: process.env.AWS_ENDPOINT_URL, credentials: credentials() });

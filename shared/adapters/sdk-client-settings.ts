/** How long a call may take: a second to connect, three to answer, three attempts with backoff; the SDK alone would wait for ever (LA-07). */
export const SDK_CLIENT_SETTINGS = { maxAttempts: 3, requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true } };

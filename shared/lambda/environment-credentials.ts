// Stands in for `@aws-sdk/credential-provider-node` in every bundle (see infra/bundle.ts). Lambda always gives a function
// its role's credentials in the environment, and replaces the environment before they expire; the SDK's default chain
// (files, SSO, metadata services, processes) would add some 130 KB to each bundle that no invocation ever runs.

/** Credentials of the function's role, as the runtime provides them. */
export const defaultProvider = () => async () => {
  const accessKeyId = process.env.AWS_ACCESS_KEY_ID;
  const secretAccessKey = process.env.AWS_SECRET_ACCESS_KEY;
  const sessionToken = process.env.AWS_SESSION_TOKEN;
  if (!accessKeyId || !secretAccessKey) throw Object.assign(new Error('the environment holds no AWS credentials'), { name: 'CredentialsProviderError' });
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
};

/** The rest of the replaced module's surface: credentials of an environment never change under a running function. */
export const credentialsWillNeedRefresh = () => false;
export const credentialsTreatedAsExpired = () => false;

import type { Plugin } from 'esbuild';

/** Files of the SDK that no function reaches on Lambda, by the end of their path, and what stands in for each. */
const ABSENT: Readonly<Record<string, string>> = {
  // Lambda gives region and settings in the environment and has no ~/.aws: looking for it costs every first call two reads, and Node's file promises.
  'shared-ini-file-loader/loadSharedConfigFiles.js':
    'export { CONFIG_PREFIX_SEPARATOR } from "./constants.js"; export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });',
  // Signatures for several regions at once, and of single events of a stream: Baton asks for neither.
  'signature-v4-multi-region/dist-es/SignatureV4MultiRegion.js':
    'import { SignatureV4SignWithCredentials } from "./SignatureV4SignWithCredentials.js"; export class SignatureV4MultiRegion extends SignatureV4SignWithCredentials { static sigv4aDependency() { return "none"; } }',
  'signature-v4/dist-es/HeaderFormatter.js': 'export class HeaderFormatter {} export class Int64 {}',
  // SHA-256 in JavaScript, for a Node without OpenSSL.
  'checksum/sha256/Sha256Js.js': 'export class Sha256Js {}',
  // AWS_REGION is always set.
  'config-resolver/regionConfig/getInstanceMetadataRegion.js': 'export const getInstanceMetadataRegion = async () => undefined;',
};

/** Leaves those files out of every bundle. */
export const absentFiles: Plugin = {
  name: 'absent-files',
  setup(build) {
    for (const [end, contents] of Object.entries(ABSENT)) {
      const filter = new RegExp(`[\\\\/]@(?:smithy|aws-sdk)[\\\\/](?:.*[\\\\/])?${end.replaceAll('/', String.raw`[\\/]`).replaceAll('.', String.raw`\.`)}$`);
      build.onLoad({ filter }, () => ({ contents }));
    }
  },
};

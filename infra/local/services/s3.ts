import type { AwsService, Kernel, Provisioned, Provisioner, Resource } from '../kernel/types.ts';
import { ENCRYPTION, ONE_ACCOUNT, TAGS, used } from './protocol/reasons.ts';
import { type Buckets, handleBucketRequest } from './s3/bucket-requests.ts';
import { ObjectStore } from './s3/object-store.ts';

const PROPERTIES = {
  'AWS::S3::Bucket': {
    ...used('BucketName'),
    BucketEncryption: ENCRYPTION,
    PublicAccessBlockConfiguration: ONE_ACCOUNT,
    OwnershipControls: ONE_ACCOUNT,
    AccessControl: ONE_ACCOUNT,
    Tags: TAGS,
    VersioningConfiguration: 'no effect: only the newest version of an object is kept here',
    LifecycleConfiguration: 'no effect: nothing expires here; a fresh start forgets everything',
    LoggingConfiguration: 'no effect: requests are not logged into a bucket',
    ObjectLockEnabled: 'no effect: objects can always be replaced here',
    ObjectLockConfiguration: 'no effect: objects can always be replaced here',
  },
  'AWS::S3::BucketPolicy': { Bucket: ONE_ACCOUNT, PolicyDocument: ONE_ACCOUNT },
};

const provision = ({ names }: Buckets, { type, logicalId, properties }: Resource): Provisioned => {
  if (type === 'AWS::S3::BucketPolicy') return { ref: logicalId, attributes: {} };
  const name = String(properties.BucketName ?? `local-${logicalId.toLowerCase()}`.slice(0, 63));
  names.add(name);
  const attributes = {
    Arn: `arn:aws:s3:::${name}`,
    DomainName: `${name}.s3.amazonaws.com`,
    RegionalDomainName: `${name}.s3.us-east-1.amazonaws.com`,
    DualStackDomainName: `${name}.s3.dualstack.us-east-1.amazonaws.com`,
    WebsiteURL: `http://${name}.s3-website-us-east-1.amazonaws.com`,
  };
  return { ref: name, attributes };
};

/** S3: objects as files below `dataDir`, in path style. */
export const buckets = (kernel: Kernel, dataDir: string): AwsService & Provisioner => {
  const all: Buckets = { kernel, store: new ObjectStore(kernel.db, dataDir), names: new Set() };
  return {
    signingName: 's3',
    protocol: 'rest-xml',
    handle: async (request) => handleBucketRequest(all, request),
    properties: PROPERTIES,
    provision: async (resource) => provision(all, resource),
  };
};

import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';

/** How long a delivery is kept as it came. */
const KEPT = Duration.days(30);

/** Deliveries as they came, personal data and all. Not versioned, so that what expires or is deleted is gone (PI-04). */
export function rawBucket(scope: Construct): Bucket {
  const bucket = new Bucket(scope, 'RawBucket', {
    encryption: BucketEncryption.S3_MANAGED,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    enforceSSL: true,
    removalPolicy: RemovalPolicy.RETAIN,
    lifecycleRules: [{ id: 'deliveries', expiration: KEPT, abortIncompleteMultipartUploadAfter: Duration.days(1) }],
  });
  Validations.of(bucket).acknowledge({ id: 'AwsSolutions-S1', reason: 'no function may read it; whoever reads by hand is recorded where CloudTrail records data events' });
  return bucket;
}

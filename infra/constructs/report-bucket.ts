import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';

/** The daily reports. Versioned, so that a repeated run of a day keeps what was sent before. */
export function reportBucket(scope: Construct): Bucket {
  const bucket = new Bucket(scope, 'ReportBucket', {
    encryption: BucketEncryption.S3_MANAGED,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    enforceSSL: true,
    versioned: true,
    removalPolicy: RemovalPolicy.RETAIN,
    lifecycleRules: [{ id: 'reports', noncurrentVersionExpiration: Duration.days(30), expiration: Duration.days(730), abortIncompleteMultipartUploadAfter: Duration.days(1) }],
  });
  Validations.of(bucket).acknowledge({ id: 'AwsSolutions-S1', reason: 'reports hold no personal data; one function writes them and CloudTrail records who reads' });
  return bucket;
}

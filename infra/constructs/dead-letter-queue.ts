import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

/**
 * A place for what could not be delivered or handled. Kept the longest time SQS allows (OP-01), since people empty it
 * by hand; SSE-SQS, because with any KMS key EventBridge and Lambda drop silently what they may not encrypt (EB-09).
 */
export function deadLetterQueue(scope: Construct, id: string): Queue {
  const queue = new Queue(scope, id, { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true, retentionPeriod: Duration.days(14), removalPolicy: RemovalPolicy.DESTROY });
  Validations.of(queue).acknowledge({ id: 'AwsSolutions-SQS3', reason: 'this queue is itself the dead-letter queue of a rule, function, schedule or stream' });
  return queue;
}

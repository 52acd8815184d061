import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, ProjectionType, StreamViewType, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';

/**
 * The one table: handoffs, receipts, signals, claims, policy. Without a physical name, so that a retained table never
 * blocks a fresh deployment (CD-02); retained, protected and recoverable, so that no deployment deletes it (CD-01).
 * At most one index may be added or removed a release (CD-05).
 */
export function handoffTable(scope: Construct): Table {
  const table = new Table(scope, 'HandoffTable', {
    partitionKey: { name: 'pk', type: AttributeType.STRING },
    sortKey: { name: 'sk', type: AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    encryption: TableEncryption.AWS_MANAGED,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    stream: StreamViewType.NEW_IMAGE,
    timeToLiveAttribute: 'expiresAt',
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
  });
  const index = (indexName: string, pk: string, sk: string) =>
    table.addGlobalSecondaryIndex({
      indexName,
      partitionKey: { name: pk, type: AttributeType.STRING },
      sortKey: { name: sk, type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    });
  index('open', 'openPk', 'openSk');
  index('by-person', 'personPk', 'personSk');
  return table;
}

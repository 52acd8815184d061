import { describe, expect, it } from 'vitest';
import { cloudWatch } from '../../infra/local/services/cloudwatch.ts';
import { aKernel, aResource } from '../support/local-kernel.ts';

describe('what has no effect here is accepted with its reason', () => {
  it('every property says "used" or why not', () => {
    for (const [type, properties] of Object.entries(cloudWatch(aKernel()).properties))
      for (const [name, reason] of Object.entries(properties)) expect(reason, `${type}.${name}`).toMatch(/^(used|no effect: .{10,})$/);
  });

  it.each([
    ['AWS::CloudWatch::Alarm', 'Missing', 'Arn', 'arn:aws:cloudwatch:us-east-1:000000000000:alarm:Missing'],
    ['AWS::Logs::LogGroup', 'Missing', 'Arn', 'arn:aws:logs:us-east-1:000000000000:log-group:Missing:*'],
    ['AWS::KMS::Key', 'local-missing', 'Arn', 'arn:aws:kms:us-east-1:000000000000:key/local-missing'],
    ['AWS::SNS::Topic', 'arn:aws:sns:us-east-1:000000000000:Missing', 'TopicArn', 'arn:aws:sns:us-east-1:000000000000:Missing'],
    ['AWS::EventSchemas::Registry', 'arn:aws:schemas:us-east-1:000000000000:registry/Missing', 'RegistryName', 'Missing'],
    ['AWS::EventSchemas::Schema', 'arn:aws:schemas:us-east-1:000000000000:schema/undefined/Missing', 'SchemaVersion', '1'],
  ])('%s can be referred to', async (type, ref, attribute, value) => {
    expect(await cloudWatch(aKernel()).provision(aResource(type, 'Missing'))).toMatchObject({ ref, attributes: { [attribute]: value } });
  });

  it('every type it lists can be made', async () => {
    const local = cloudWatch(aKernel());
    for (const type of Object.keys(local.properties))
      await expect(local.provision(aResource(type, 'X', { AliasName: 'alias/x', TopicArn: 'arn:t' }))).resolves.toHaveProperty('ref');
    expect(local.alarms()).toEqual([
      { name: 'X', state: 'INSUFFICIENT_DATA' },
      { name: 'X', state: 'INSUFFICIENT_DATA' },
    ]);
  });
});

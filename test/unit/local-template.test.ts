import { expect, test } from 'vitest';
import type { Assembly } from '../../infra/local/cloudformation/assembly.ts';
import { provisionStack, TemplateNotSupported } from '../../infra/local/cloudformation/provision.ts';
import type { Template } from '../../infra/local/cloudformation/template.ts';
import type { Provisioner, Resource } from '../../infra/local/kernel/types.ts';

function thingsProvisioner() {
  const made: Resource[] = [];
  const provisioner: Provisioner = {
    properties: { 'Test::Thing': { Name: 'used', Value: 'used', Nested: 'used', 'Nested.Known': 'used' } },
    async provision(resource) {
      made.push(resource);
      return { ref: `ref-${resource.logicalId}`, attributes: { Arn: `arn:${resource.logicalId}` } };
    },
  };
  return { made, provisioner };
}

const assembly = (template: Template): Assembly => ({ stackName: 'Stack', template, assets: new Map() });
const thing = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) => ({ Type: 'Test::Thing', Properties: properties, ...more });

async function resolvedValue(value: unknown, more: Partial<Template> = {}): Promise<unknown> {
  const { made, provisioner } = thingsProvisioner();
  await provisionStack(assembly({ Resources: { Other: thing({ Name: 'other' }), It: thing({ Value: value }) }, ...more }), [provisioner]);
  return made.find((resource) => resource.logicalId === 'It')?.properties.Value;
}

const conditions: Partial<Template> = {
  Parameters: { Stage: { Type: 'String', Default: 'dev' } },
  Conditions: { IsDev: { 'Fn::Equals': [{ Ref: 'Stage' }, 'dev'] }, Not: { 'Fn::Not': [{ Condition: 'IsDev' }] } },
};

test.each([
  ['Ref', { Ref: 'Other' }, 'ref-Other'],
  ['Fn::GetAtt as a list', { 'Fn::GetAtt': ['Other', 'Arn'] }, 'arn:Other'],
  ['Fn::GetAtt as text', { 'Fn::GetAtt': 'Other.Arn' }, 'arn:Other'],
  ['Fn::Sub', { 'Fn::Sub': `\${Other}/\${Other.Arn}/\${AWS::Region}/\${!Literal}` }, `ref-Other/arn:Other/us-east-1/\${Literal}`],
  ['Fn::Sub with variables', { 'Fn::Sub': [`\${A}-\${Other}`, { A: { Ref: 'AWS::AccountId' } }] }, '000000000000-ref-Other'],
  ['Fn::Join', { 'Fn::Join': ['-', ['a', { Ref: 'AWS::Partition' }, 1]] }, 'a-aws-1'],
  ['Fn::Select of Fn::Split', { 'Fn::Select': [1, { 'Fn::Split': [':', { 'Fn::GetAtt': ['Other', 'Arn'] }] }] }, 'Other'],
  ['Fn::Base64', { 'Fn::Base64': 'hello' }, 'aGVsbG8='],
  ['Fn::If', { 'Fn::If': ['IsDev', 'yes', 'no'] }, 'yes'],
  ['Fn::If of a negated condition', { 'Fn::If': ['Not', 'yes', 'no'] }, 'no'],
  ['AWS::NoValue', { a: { Ref: 'AWS::NoValue' }, b: [1, { Ref: 'AWS::NoValue' }] }, { b: [1] }],
  ['an IAM condition, which is data', { Condition: { Bool: { x: 'y' } } }, { Condition: { Bool: { x: 'y' } } }],
])('B-7: %s resolves as CloudFormation does', async (_, expression, expected) => {
  expect(await resolvedValue(expression, conditions)).toEqual(expected);
});

test('B-7: Fn::FindInMap reads mappings, and a parameter takes the value that is given', async () => {
  const { made, provisioner } = thingsProvisioner();
  const template: Template = {
    Parameters: { Stage: { Type: 'String', Default: 'dev' }, Zones: { Type: 'CommaDelimitedList', Default: 'a, b' } },
    Mappings: { Sizes: { prod: { size: 'big' } } },
    Resources: { It: thing({ Value: { 'Fn::FindInMap': ['Sizes', { Ref: 'Stage' }, 'size'] }, Name: { Ref: 'Zones' } }) },
    Outputs: { Size: { Value: { Ref: 'It' } } },
  };
  const { outputs } = await provisionStack(assembly(template), [provisioner], { Stage: 'prod' });
  expect(made[0]?.properties).toEqual({ Value: 'big', Name: ['a', 'b'] });
  expect(outputs).toEqual({ Size: 'ref-It' });
});

test('B-7: resources are made after everything they refer to, whichever way they do', async () => {
  const { made, provisioner } = thingsProvisioner();
  const template: Template = {
    Resources: {
      A: thing({ Value: { Ref: 'B' } }),
      B: thing({ Value: { 'Fn::Sub': `\${C.Arn}` } }),
      C: thing({}, { DependsOn: ['D'] }),
      D: thing({ Value: { 'Fn::Join': ['', [{ 'Fn::GetAtt': ['E', 'Arn'] }]] } }),
      E: thing({}),
    },
  };
  await provisionStack(assembly(template), [provisioner]);
  expect(made.map((resource) => resource.logicalId)).toEqual(['E', 'D', 'C', 'B', 'A']);
});

test('B-7: a ring of references is named', async () => {
  const { provisioner } = thingsProvisioner();
  const template: Template = { Resources: { A: thing({ Value: { Ref: 'B' } }), B: thing({ Value: { Ref: 'A' } }) } };
  await expect(provisionStack(assembly(template), [provisioner])).rejects.toThrow('A → B → A');
});

test('B-7: everything that is not supported is named at once, with path and alternatives, and nothing is made', async () => {
  const { made, provisioner } = thingsProvisioner();
  const template: Template = {
    Transform: 'AWS::Serverless-2016-10-31',
    Resources: {
      Strange: { Type: 'AWS::Strange::Thing', Metadata: { 'aws:cdk:path': 'Stack/Odd/Strange' } },
      Extra: thing({ Wrong: 1, Nested: { Known: 1, Unknown: 2 } }),
      Import: thing({ Value: { 'Fn::ImportValue': 'x' } }),
      Dynamic: thing({ Value: '{{resolve:ssm:/x}}' }),
      Dangling: thing({ Value: { Ref: 'Nobody' } }),
      Policy: thing({}, { UpdatePolicy: {} }),
      Missing: thing({ Value: { 'Fn::If': ['NoSuch', 1, 2] } }),
    },
  };
  const fault = await provisionStack(assembly(template), [provisioner]).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(TemplateNotSupported);
  const { message, problems } = fault as TemplateNotSupported;
  expect(problems).toHaveLength(9);
  expect(message).toContain('Strange (Stack/Odd/Strange): type AWS::Strange::Thing is not supported (supported: AWS::CDK::Metadata, Test::Thing)');
  expect(message).toContain('Extra (Extra): property Wrong of Test::Thing is not supported (supported: Name, Value, Nested, Nested.Known)');
  expect(message).toContain('property Nested.Unknown of Test::Thing');
  expect(message).toContain('Fn::ImportValue is not supported (supported: Ref,');
  expect(message).toContain('{{resolve:…}} is not supported');
  expect(message).toContain('refers to Nobody');
  expect(message).toContain('attribute UpdatePolicy is not supported');
  expect(message).toContain('condition NoSuch is not in the template');
  expect(message).toContain('Template section Transform is not supported');
  expect(made).toEqual([]);
});

test('B-7: a resource whose condition is false is not made, and a reference to it is refused', async () => {
  const { made, provisioner } = thingsProvisioner();
  const never = { Conditions: { Never: { 'Fn::Equals': ['a', 'b'] } } };
  await provisionStack(assembly({ ...never, Resources: { Gone: thing({}, { Condition: 'Never' }), Here: thing({}) } }), [provisioner]);
  expect(made.map((resource) => resource.logicalId)).toEqual(['Here']);
  await expect(
    provisionStack(assembly({ ...never, Resources: { Gone: thing({}, { Condition: 'Never' }), Here: thing({ Value: { Ref: 'Gone' } }) } }), [provisioner]),
  ).rejects.toThrow('refers to Gone');
});

test('B-7: an attribute that nobody offers, and parameters that are unknown or missing, are refused by name', async () => {
  const { provisioner } = thingsProvisioner();
  const resources = { Other: thing({}), It: thing({ Value: { 'Fn::GetAtt': ['Other', 'Nothing'] } }) };
  await expect(provisionStack(assembly({ Resources: resources }), [provisioner])).rejects.toThrow('It (It, Test::Thing): Test::Thing has no attribute Nothing here (it has: Arn)');
  await expect(provisionStack(assembly({ Resources: {} }), [provisioner], { Odd: '1' })).rejects.toThrow('The template has no parameter Odd');
  await expect(provisionStack(assembly({ Parameters: { Must: { Type: 'String' } } }), [provisioner])).rejects.toThrow('Parameters without a value: Must');
});

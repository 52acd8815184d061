// A cloud assembly written by hand: the smallest stack that uses functions, a table with its stream, a queue and the HTTP API.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Resources = Record<string, { Type: string; Properties?: Record<string, unknown>; DependsOn?: string[]; Metadata?: unknown; [attribute: string]: unknown }>;

export type SmallStack = { root: string; cdkOut: string; dataDir: string; remove(): void };

/** Writes an assembly with these resources; each entry of `code` becomes a function asset named after it. */
export function writeStack(resources: Resources, code: Record<string, string> = {}, more: Record<string, unknown> = {}): SmallStack {
  const root = mkdtempSync(join(tmpdir(), 'baton-stack-'));
  const cdkOut = join(root, 'cdk.out');
  const files = Object.entries(code).map(([name, source]) => {
    const folder = `asset.${name}`;
    mkdirSync(join(cdkOut, folder), { recursive: true });
    writeFileSync(join(cdkOut, folder, 'index.mjs'), source);
    return [name, { source: { path: folder, packaging: 'zip' }, destinations: { here: { bucketName: 'assets', objectKey: `${name}.zip` } } }];
  });
  mkdirSync(cdkOut, { recursive: true });
  const artifacts = {
    'Small.assets': { type: 'cdk:asset-manifest', properties: { file: 'Small.assets.json' } },
    Small: { type: 'aws:cloudformation:stack', properties: { templateFile: 'Small.template.json' } },
  };
  writeFileSync(join(cdkOut, 'manifest.json'), JSON.stringify({ version: '40.0.0', artifacts }));
  writeFileSync(join(cdkOut, 'Small.assets.json'), JSON.stringify({ files: Object.fromEntries(files) }));
  writeFileSync(join(cdkOut, 'Small.template.json'), JSON.stringify({ Resources: resources, ...more }));
  return { root, cdkOut, dataDir: join(root, 'data'), remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** A role that a function may run under, with these statements. */
export const role = (...statements: unknown[]): Resources[string] => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'lambda.amazonaws.com' } }] },
    ...(statements.length > 0 && { Policies: [{ PolicyName: 'Own', PolicyDocument: { Version: '2012-10-17', Statement: statements } }] }),
  },
});

/** A function whose code is the asset called like it. */
export const lambda = (name: string, properties: Record<string, unknown> = {}, roleId = 'Role'): Resources[string] => ({
  Type: 'AWS::Lambda::Function',
  Properties: {
    FunctionName: name,
    Code: { S3Bucket: 'assets', S3Key: `${name}.zip` },
    Handler: 'index.handler',
    Runtime: 'nodejs24.x',
    Role: { 'Fn::GetAtt': [roleId, 'Arn'] },
    ...properties,
  },
});

export const table: Resources[string] = {
  Type: 'AWS::DynamoDB::Table',
  Properties: {
    TableName: 'things',
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'S' },
    ],
    StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
    TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
  },
};

/** HTTP API with one route to each function given, open to the API alone. */
export function httpApi(routes: Record<string, string>, stage: Record<string, unknown> = {}): Resources {
  const resources: Resources = {
    Api: { Type: 'AWS::ApiGatewayV2::Api', Properties: { Name: 'api', ProtocolType: 'HTTP' } },
    Stage: { Type: 'AWS::ApiGatewayV2::Stage', Properties: { ApiId: { Ref: 'Api' }, StageName: '$default', AutoDeploy: true, ...stage } },
  };
  for (const [at, [routeKey, functionId]] of Object.entries(routes).entries()) {
    const FunctionName = { 'Fn::GetAtt': [functionId, 'Arn'] };
    resources[`Integration${at}`] = {
      Type: 'AWS::ApiGatewayV2::Integration',
      Properties: { ApiId: { Ref: 'Api' }, IntegrationType: 'AWS_PROXY', PayloadFormatVersion: '2.0', IntegrationUri: FunctionName },
    };
    resources[`Route${at}`] = {
      Type: 'AWS::ApiGatewayV2::Route',
      Properties: { ApiId: { Ref: 'Api' }, RouteKey: routeKey, Target: { 'Fn::Join': ['/', ['integrations', { Ref: `Integration${at}` }]] } },
    };
    resources[`Permission${at}`] = { Type: 'AWS::Lambda::Permission', Properties: { Action: 'lambda:InvokeFunction', FunctionName, Principal: 'apigateway.amazonaws.com' } };
  }
  return resources;
}

/** Asks an AWS service of the runtime, as an operator. */
export async function callAws(url: string, target: string, input: unknown): Promise<{ status: number; headers: Headers; output: Record<string, unknown> }> {
  const response = await fetch(url, { method: 'POST', headers: { 'x-amz-target': target, 'content-type': 'application/x-amz-json-1.0' }, body: JSON.stringify(input) });
  return { status: response.status, headers: response.headers, output: (await response.json()) as Record<string, unknown> };
}

/** Invokes a function through Lambda's API. */
export async function invoke(url: string, name: string, payload: unknown, type: 'RequestResponse' | 'Event' = 'RequestResponse') {
  const response = await fetch(`${url}/2015-03-31/functions/${name}/invocations`, {
    method: 'POST',
    headers: { authorization: 'AWS4-HMAC-SHA256 Credential=operator/20260101/us-east-1/lambda/aws4_request, SignedHeaders=host, Signature=0', 'x-amz-invocation-type': type },
    body: JSON.stringify(payload),
  });
  const text = await response.text();
  return { status: response.status, error: response.headers.get('x-amz-function-error'), output: text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>) };
}

export const logs = async (url: string, text = ''): Promise<string> => (await fetch(`${url}/_baton/logs?text=${encodeURIComponent(text)}`)).text();

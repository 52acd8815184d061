import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { CLIENT_SETTINGS, dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import { SDK_CLIENT_SETTINGS } from '../../shared/adapters/sdk-client-settings.ts';

test.each([
  ['the table', CLIENT_SETTINGS],
  ['everything else', SDK_CLIENT_SETTINGS],
])('LA-07: no client of %s waits for ever: connecting and answering have their time, and all attempts end before a function does', (_, { maxAttempts, requestHandler }) => {
  const { connectionTimeout, requestTimeout } = requestHandler;
  expect(connectionTimeout).toBeLessThanOrEqual(2000);
  expect(requestTimeout).toBeLessThanOrEqual(5000);
  expect(maxAttempts * requestTimeout).toBeLessThanOrEqual(15_000);
});

test('LA-06: a connection that the other side closed while it lay idle costs nothing but another one', async () => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.setHeader('content-type', 'application/x-amz-json-1.0').end('{}', () => response.socket?.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  const table = dynamodbTable('things', { client: new DynamoDBClient({ ...CLIENT_SETTINGS, endpoint, credentials, region: 'us-east-1' }) });
  const read = () => table.documents.send(new GetCommand({ TableName: 'things', Key: { pk: 'a', sk: 'b' } }));
  for (const _ of [1, 2, 3]) expect((await read()).Item).toBeUndefined();
  await new Promise((resolve) => server.close(resolve));
});

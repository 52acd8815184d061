import { expect, it } from 'vitest';
import { Lanes } from '../../infra/local/services/lambda-lanes.ts';
import { EnvironmentPool } from '../../infra/local/services/lambda-pool.ts';

const HANGS = `data:text/javascript,${encodeURIComponent('export const handler = () => new Promise(() => {});')}`;
const settings = {
  ...{ name: 'hangs', arn: 'arn:hangs', roleArn: 'arn:role', entry: HANGS, handlerName: 'handler', handler: 'index.handler', runtime: 'nodejs24.x', description: '' },
  ...{ timeoutSeconds: 60, memoryMegabytes: 128, environment: {}, logicalId: 'Hangs', path: 'Hangs' },
};
const invocation = (requestId: string) => ({ requestId, payload: '{}', context: {}, traceId: '' });

it('a stopped runtime starts no function for an invocation that still waited its turn, so its process can end', async () => {
  const clock = new SharedArrayBuffer(8);
  const pool = new EnvironmentPool({ settings, variables: {}, clock, onOutput: () => {} }, new Lanes(1));
  const running = pool.invoke(invocation('first'), { urgency: 'background' });
  const waiting = expect(pool.invoke(invocation('second'), { urgency: 'background' })).rejects.toThrow('have been stopped');
  await pool.stop();

  expect(await running).toMatchObject({ kind: 'failed' });
  await waiting;
});

import { expect, test } from 'vitest';
import { readAdvance } from '../../infra/local/console/advance-request.ts';
import { renderExecution } from '../../infra/local/console/execution-page.ts';
import type { SeenExecution } from '../../infra/local/console/executions.ts';
import { layOut } from '../../infra/local/console/graph-layout.ts';
import { drawMachine } from '../../infra/local/console/machine-graph.ts';
import { fromNow, span } from '../../infra/local/console/page.ts';
import { renderQueue } from '../../infra/local/console/queue-page.ts';
import { readable } from '../../infra/local/kernel/log.ts';
import type { Workflow } from '../../infra/local/services/stepfunctions/definition.ts';

const SIZES = { boxWidth: 100, boxHeight: 40, gap: 10, layerGap: 30 };
const links = (...pairs: string[]) => pairs.map((pair) => ({ from: pair.slice(0, 1), to: pair.slice(1) }));

test('B-9: boxes stand below everything that leads to them, a circle is closed by one upward line, and no boxes overlap', () => {
  const all = links('ab', 'bc', 'bd', 'be', 'ce', 'de', 'eb');
  const { boxes, ways, width, height } = layOut(['a', 'b', 'c', 'd', 'e'], all, 'a', SIZES);
  expect([...boxes].map(([name, { y }]) => [name, y])).toEqual([
    ['a', 0],
    ['b', 70],
    ['c', 140],
    ['d', 140],
    ['e', 210],
  ]);
  expect(ways.map((way) => Math.sign((way.at(-1)?.y ?? 0) - (way[0]?.y ?? 0)))).toEqual([1, 1, 1, 1, 1, 1, -1]);
  expect(Math.abs((boxes.get('c')?.x ?? 0) - (boxes.get('d')?.x ?? 0))).toBeGreaterThanOrEqual(110);
  for (const point of [...boxes.values(), ...ways.flat()]) expect(point.x >= 0 && point.x <= width && point.y >= 0 && point.y <= height).toBe(true);
});

test('B-9: a state that nothing leads to is drawn all the same, and a state may lead to itself', () => {
  const { boxes } = layOut(['a', 'x'], links('aa'), 'a', SIZES);
  expect([...boxes.keys()]).toEqual(['a', 'x']);
});

const workflow: Workflow = {
  StartAt: 'Ask <all>',
  States: {
    'Ask <all>': {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
      Catch: [{ ErrorEquals: ['States.Timeout'], Next: 'Sorry' }],
      Next: 'Each',
    },
    Each: { Type: 'Map', ItemProcessor: { StartAt: 'One', States: { One: { Type: 'Pass', End: true } } }, End: true },
    Sorry: { Type: 'Fail' },
  },
};

test('B-9: a machine is drawn with every state, catchers apart from ordinary ways, nested workflows below, and names escaped', () => {
  const svg = drawMachine(workflow, new Map([['Ask <all>', { standing: 'here', note: 'until noon' }]]), 'm');
  expect(svg).toContain('class="state here"><title>Ask &lt;all&gt; (Task, waits for an answer)');
  expect(svg).toContain('>until noon<');
  expect(svg).toContain('class="arrow catch"');
  expect(svg).toContain('on States.Timeout');
  expect(svg).toContain('inside Each');
  expect(svg.match(/<g class="state /g)).toHaveLength(4);
  expect(svg).not.toContain('<all>');
});

const execution: SeenExecution = {
  name: 'h-1',
  machine: 'm',
  status: 'RUNNING',
  startedAt: '2026-03-02T16:00:00.000Z',
  stoppedAt: undefined,
  fault: '',
  places: [{ state: 'Ask <all>', dueAt: '2026-03-02T16:05:00.000Z' }],
  workflow,
  events: [{ id: 2, at: '2026-03-02T16:00:00.000Z', type: 'TaskStateEntered', state: 'Ask <all>', says: 'invoke' }],
  left: 0,
};

test('B-9: the page of an execution says where it stands and until when, and where a failed one ended', () => {
  const now = '2026-03-02T16:02:00.000Z';
  expect(renderExecution(execution, now)).toContain('>until 16:05, in 3 min<');
  const failed = renderExecution({ ...execution, status: 'FAILED', places: [], fault: 'Oops: <b>' }, now);
  expect(failed).toContain('class="state failed"');
  expect(failed).toContain('Oops: &lt;b&gt;');
});

test('B-9: a queue shows its messages with folded bodies', () => {
  const page = renderQueue(
    'dead',
    [{ id: '1', sentAt: '2026-03-02T16:00:00.000Z', receives: 0, visibleAt: '2026-03-02T16:00:00.000Z', attributes: { ERROR_CODE: 'X' }, body: '{"a":"<i>"}' }],
    '2026-03-02T16:01:00.000Z',
  );
  expect(page).toMatch(/<details><summary>Body \(11 characters; may hold personal data\)<\/summary><pre>\{\n {2}&quot;a&quot;: &quot;&lt;i&gt;/);
  expect(page).toContain('ERROR_CODE');
});

test.each([
  [0, '0 s'],
  [59_400, '59 s'],
  [60_000, '1 min'],
  [3_725_000, '1 h 2 min'],
  [90_000_000, '1 d 1 h'],
  [86_405_000, '1 d'],
])('B-9: %d ms are read as %s', (milliseconds, expected) => {
  expect(span(milliseconds)).toBe(expected);
  expect(fromNow('2026-03-02T16:00:00.000Z', '2026-03-02T16:00:01.000Z')).toBe('1 s ago');
});

test.each([
  ['{"advanceSeconds": 300}', 'application/json', { kind: 'advance', seconds: 300, fromPage: false }],
  ['{"advanceSeconds": 300}', 'application/x-www-form-urlencoded', { kind: 'advance', seconds: 300, fromPage: false }],
  ['advanceSeconds=300', 'application/x-www-form-urlencoded', { kind: 'advance', seconds: 300, fromPage: true }],
  ['advanceSeconds=-1', 'application/x-www-form-urlencoded', { kind: 'refused' }],
  ['advanceSeconds=1e3', 'application/x-www-form-urlencoded', { kind: 'refused' }],
  ['other=1', 'application/x-www-form-urlencoded', { kind: 'refused' }],
  ['advanceSeconds=300', 'text/plain', { kind: 'refused' }],
])('B-8: the clock reads %s sent as %s', (body, type, expected) => {
  expect(readAdvance(Buffer.from(body), type)).toMatchObject(expected);
});

test('B-9: structured log lines are read by their message and fields, others as they are', () => {
  const line = (message: string) => readable({ at: '2026-03-02T16:00:00.000Z', service: 'lambda', function: 'NotifyFunction3392CA4F', requestId: 'r', message });
  expect(line('{"level":"INFO","message":"Sent","service":"x","cold_start":true,"to":"h-1"}')).toBe('16:00:00.000 Notify     Sent to=h-1 requestId=r');
  expect(line('{"_aws":{},"MessagesSent":1}')).toBe('16:00:00.000 Notify     counted MessagesSent=1 requestId=r');
  expect(line('{not json')).toBe('16:00:00.000 Notify     {not json requestId=r');
  expect(readable({ at: '2026-03-02T16:00:00.000Z', service: 'http', message: 'GET /' })).toBe('16:00:00.000 http       GET /');
});

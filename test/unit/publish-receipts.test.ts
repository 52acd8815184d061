import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, test } from 'vitest';
import { publishReceipts } from '../../functions/publish-receipts/publish-receipts.ts';
import { parse } from '../../shared/contracts/contract-error.ts';
import { ReceiptEvent } from '../../shared/contracts/receipt-event.ts';
import { StreamImage } from '../../shared/contracts/stream-image.ts';
import { commandId } from '../../shared/domain/ids.ts';
import type { Receipt } from '../../shared/domain/receipt.ts';
import { streamHandler } from '../../shared/lambda/stream-handler.ts';
import type { BusEvent } from '../../shared/ports/event-bus.ts';
import { ID, later, NOW, ROSA } from '../support/builders.ts';
import { memoryEventBus } from '../support/memory-outside.ts';

const receipt = (seq: number): Receipt => ({
  kind: 'offer.superseded',
  offer: 1,
  by: ROSA,
  seq,
  at: later(NOW, seq),
  commandId: commandId('c'),
  actor: { kind: 'system', component: 'x' },
  packetVersion: 1,
  contractVersion: 'c1',
});
const image = (seq: number) => ({ pk: `HANDOFF#${ID}`, sk: `RECEIPT#${String(seq).padStart(6, '0')}`, receipt: receipt(seq) });
const read = (item: unknown) => parse(StreamImage, item, 'it');

/** The function as Lambda calls it. */
async function invoke(items: Record<string, unknown>[], bus: { publish: (events: readonly BusEvent[]) => Promise<void> }) {
  const handler = streamHandler(StreamImage, async (images) => void (await publishReceipts({ bus }, images)));
  const Records = items.map((item, index) => ({ eventName: 'INSERT', dynamodb: { SequenceNumber: `s${index}`, NewImage: marshall(item) } }));
  return (await handler({ Records } as never, {} as never)).batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
}

describe('publishing receipts', () => {
  test('L-03: every receipt becomes one event of its kind, at the time it was written', async () => {
    const bus = memoryEventBus();
    await publishReceipts({ bus }, [read(image(1)), read(image(2))]);
    expect(bus.published).toEqual(
      [1, 2].map((seq) => ({ source: 'baton.handoff', detailType: 'offer.superseded', at: later(NOW, seq), detail: { schemaVersion: '1', handoffId: ID, receipt: receipt(seq) } })),
    );
    expect(parse(ReceiptEvent, bus.published[0]?.detail, 'it').handoffId).toBe(ID);
  });

  test('items that are no receipts announce nothing', async () => {
    const bus = memoryEventBus();
    const note = { pk: `HANDOFF#${ID}`, sk: 'NOTE#000001', note: { text: 'ada@example.com' } };
    expect(await publishReceipts({ bus }, [read(note), read(image(1)), read({ pk: `HANDOFF#${ID}`, sk: 'HEAD' })])).toEqual({ published: 1, skipped: 2 });
    expect(JSON.stringify(bus.published)).not.toContain('ada@example.com');
    expect(await publishReceipts({ bus }, [read(note)])).toEqual({ published: 0, skipped: 1 });
  });

  test('a receipt that misses its contract is not taken for something else', () => {
    expect(() => read({ ...image(1), receipt: { kind: 'offer.forgotten' } })).toThrow('contract');
    expect(() => read({ ...image(1), pk: 'LINK#x' })).toThrow('contract');
    expect(() => read({})).toThrow('contract');
  });

  test('LA-05: when the bus is down, Lambda is told to go on from the first record, and nothing is lost', async () => {
    const down = { publish: () => Promise.reject(new Error('down')) };
    expect(await invoke([image(1), image(2)], down)).toEqual(['s0']);
    const bus = memoryEventBus();
    expect(await invoke([image(1), image(2)], bus)).toEqual([]);
    expect(bus.published).toHaveLength(2);
  });

  test('LA-05: what comes before an unreadable record is announced, and what comes after waits for it', async () => {
    const bus = memoryEventBus();
    expect(await invoke([image(1), { ...image(2), receipt: { kind: 'nonsense' } }, image(3)], bus)).toEqual(['s1']);
    expect(bus.published.map(({ detail }) => (detail as ReceiptEvent).receipt.seq)).toEqual([1]);
  });
});

import { eventbridgeEventBus } from '../../shared/adapters/eventbridge-event-bus.ts';
import { StreamImage } from '../../shared/contracts/stream-image.ts';
import { env } from '../../shared/lambda/env.ts';
import { logger } from '../../shared/lambda/logger.ts';
import { streamHandler } from '../../shared/lambda/stream-handler.ts';
import { publishReceipts } from './publish-receipts.ts';

const deps = { bus: eventbridgeEventBus(env('HANDOFF_BUS')) };

export const handler = streamHandler(StreamImage, async (images) => {
  const { skipped } = await publishReceipts(deps, images);
  if (skipped > 0) logger.warn('image-skipped', 'The stream showed items that are no receipts', { count: skipped });
});

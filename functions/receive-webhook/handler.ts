import { eventbridgeEventBus } from '../../shared/adapters/eventbridge-event-bus.ts';
import { fetchText } from '../../shared/adapters/https-fetch-text.ts';
import { s3RawShelf } from '../../shared/adapters/s3-raw-shelf.ts';
import { secretsmanagerSourceSecrets } from '../../shared/adapters/secretsmanager-source-secrets.ts';
import { systemTime } from '../../shared/adapters/system-time.ts';
import { DELIVERY_OUTCOMES, type DeliveryOutcome } from '../../shared/domain/delivery-outcome.ts';
import { bucketAccess } from '../../shared/lambda/bucket-access.ts';
import { env } from '../../shared/lambda/env.ts';
import { httpHandler } from '../../shared/lambda/http-handler.ts';
import { logger } from '../../shared/lambda/logger.ts';
import { allSources } from '../../shared/sources/registry.ts';
import { answerTo } from './answer.ts';
import { countDeliveries } from './count-deliveries.ts';
import { receiveWebhook } from './receive-webhook.ts';

const bus = eventbridgeEventBus(env('HANDOFF_BUS'));
const arns = { website: env('WEBSITE_SECRET'), typeform: env('TYPEFORM_SECRET'), twilio: env('TWILIO_SECRET') };
/** `country` is where numbers without a country code are dialled. */
const deps = {
  sources: allSources({ country: env('DEFAULT_COUNTRY') }),
  secrets: secretsmanagerSourceSecrets({ arns, prefix: env('SOURCE_SECRETS_PREFIX') }, systemTime),
  bus,
  raws: s3RawShelf(env('RAW_BUCKET'), bucketAccess()),
  time: systemTime,
  fetchText,
};
const count = countDeliveries(bus, systemTime);
const counted: ReadonlySet<string> = new Set(DELIVERY_OUTCOMES);
const publicUrl = env('PUBLIC_URL');

export const handler = httpHandler(async ({ method, rawPath, rawQueryString, headers, rawBody }) => {
  const url = `${publicUrl}${rawPath}${rawQueryString === '' ? '' : `?${rawQueryString}`}`;
  const received = await receiveWebhook(deps, { method, path: rawPath, url, headers, body: rawBody });
  const answer = answerTo(received);
  const { kind: outcome, cause, ...rest } = { cause: undefined, ...received };
  if (outcome === 'not-stored') logger.error('signal-not-stored', 'A signal could not be handed to the bus', cause, { outcome, ...rest, status: answer.status });
  else logger.info('webhook-answered', 'A delivery was answered', { outcome, ...rest, status: answer.status });
  if ('source' in received && received.source !== undefined && counted.has(outcome)) await count(received.source, outcome as DeliveryOutcome);
  return answer;
});

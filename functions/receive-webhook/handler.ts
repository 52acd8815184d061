import { eventbridgeEventBus } from '../../shared/adapters/eventbridge-event-bus.ts';
import { secretsmanagerSourceSecrets } from '../../shared/adapters/secretsmanager-source-secrets.ts';
import { systemTime } from '../../shared/adapters/system-time.ts';
import { env } from '../../shared/lambda/env.ts';
import { httpHandler } from '../../shared/lambda/http-handler.ts';
import { logger } from '../../shared/lambda/logger.ts';
import { allSources } from '../../shared/sources/registry.ts';
import { answerTo } from './answer.ts';
import { receiveWebhook } from './receive-webhook.ts';

/** Where numbers without a country code are dialled. */
const country = 'US';

const deps = {
  sources: allSources({ country }),
  secrets: secretsmanagerSourceSecrets({ website: env('WEBSITE_SECRET'), typeform: env('TYPEFORM_SECRET'), twilio: env('TWILIO_SECRET') }, systemTime),
  bus: eventbridgeEventBus(env('HANDOFF_BUS')),
  time: systemTime,
};
const publicUrl = env('PUBLIC_URL');

export const handler = httpHandler(async ({ method, rawPath, rawQueryString, headers, rawBody }) => {
  const url = `${publicUrl}${rawPath}${rawQueryString === '' ? '' : `?${rawQueryString}`}`;
  const received = await receiveWebhook(deps, { method, path: rawPath, url, headers, body: rawBody });
  const answer = answerTo(received);
  const { kind: outcome, cause, ...rest } = { cause: undefined, ...received };
  if (outcome === 'not-stored') logger.error('signal-not-stored', 'A signal could not be handed to the bus', cause, { outcome, ...rest, status: answer.status });
  else logger.info('webhook-answered', 'A delivery was answered', { outcome, ...rest, status: answer.status });
  return answer;
});

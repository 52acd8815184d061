import { ACCOUNT, AwsError, REGION, type Resource } from '../../kernel/types.ts';
import { flagOr, recordOf, textsOf } from '../protocol/input.ts';

/** Where a configuration set sends which of its events; only the default event bus exists here. */
export type EventDestination = { types: readonly string[] };

/** What the template says about sending mail. */
export type Identities = { names: Set<string>; sets: Map<string, EventDestination[]> };

/** The bare address in `Name <address>`. */
export const addressIn = (text: string): string => (/<([^>]+)>\s*$/.exec(text)?.[1] ?? text).trim();

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();

export const identityArn = (name: string): string => `arn:aws:ses:${REGION}:${ACCOUNT}:identity/${name}`;

/**
 * The verified identity that covers a sender: its address, or its domain. When the template declares none, identities are
 * verified outside of it and every sender passes.
 */
export const identityFor = ({ names }: Identities, from: string): string => {
  const address = addressIn(from).toLowerCase();
  const domain = domainOf(address);
  if (names.has(address)) return address;
  if (names.has(domain) || names.size === 0) return domain;
  throw new AwsError('MessageRejected', `Email address is not verified. The following identities failed the check in region ${REGION.toUpperCase()}: ${from}`, 400);
};

export const SES_EVENT_TYPES = ['SEND', 'REJECT', 'BOUNCE', 'COMPLAINT', 'DELIVERY', 'OPEN', 'CLICK', 'RENDERING_FAILURE', 'DELIVERY_DELAY', 'SUBSCRIPTION'];

/** Reads an event destination. Anything but the default event bus is refused, because it would stay silent. */
export const addEventDestination = (identities: Identities, { properties }: Resource): void => {
  const destination = recordOf(properties, 'EventDestination');
  const bus = String(recordOf(destination, 'EventBridgeDestination').EventBusArn ?? '');
  if (!bus.endsWith(':event-bus/default')) throw new Error('the only event destination that works here is the default event bus (EventBridgeDestination)');
  const types = textsOf(destination, 'MatchingEventTypes').map((type) => type.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase());
  const unknown = types.filter((type) => !SES_EVENT_TYPES.includes(type));
  if (unknown.length > 0) throw new Error(`unknown event types: ${unknown.join(', ')}`);
  const set = identities.sets.get(String(properties.ConfigurationSetName));
  if (set === undefined) throw new Error(`there is no configuration set ${String(properties.ConfigurationSetName)} in the template`);
  if (flagOr(destination, 'Enabled', true)) set.push({ types });
};

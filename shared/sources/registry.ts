// Every provider Baton takes signals from. Adding one is its file, its fixture in shared/sources/fixtures/, and one line here.

import type { SignalSource } from '../ports/signal-source.ts';
import { type Locale, type Provider, sourceOf } from './provider.ts';
import { twilio } from './twilio.ts';
import { typeform } from './typeform.ts';
import { website } from './website.ts';

export const PROVIDERS: readonly Provider[] = [
  // own programs and standards
  website,
  // forms
  typeform,
  // ads
  // phone, chat, mail, calendars
  twilio,
];

/** The sources by the name in their address. */
export const allSources = (locale: Locale): ReadonlyMap<string, SignalSource> => new Map(PROVIDERS.map((provider) => [provider.name, sourceOf(provider, locale)]));

export const providerNamed = (name: string): Provider | undefined => PROVIDERS.find((provider) => provider.name === name);

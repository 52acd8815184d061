// Every provider Baton takes signals from. Adding one is its file, its fixture in shared/sources/fixtures/, and one line here.

import type { SignalSource } from '../ports/signal-source.ts';
import { aircall } from './aircall.ts';
import { calcom } from './calcom.ts';
import { calendly } from './calendly.ts';
import { callrail } from './callrail.ts';
import { cloudevents } from './cloudevents.ts';
import { contactForm7 } from './contact-form-7.ts';
import { dialpad } from './dialpad.ts';
import { formspree } from './formspree.ts';
import { googleAds } from './google-ads.ts';
import { gravityForms } from './gravity-forms.ts';
import { hubspot } from './hubspot.ts';
import { intercom } from './intercom.ts';
import { jotform } from './jotform.ts';
import { linkedin } from './linkedin.ts';
import { mailgun } from './mailgun.ts';
import { make } from './make.ts';
import { metaLeads } from './meta-leads.ts';
import { netlify } from './netlify.ts';
import { postmark } from './postmark.ts';
import { type Locale, type Provider, sourceOf } from './provider.ts';
import { quo } from './quo.ts';
import { sendgrid } from './sendgrid.ts';
import { slackActions } from './slack-actions.ts';
import { sns } from './sns.ts';
import { tally } from './tally.ts';
import { twilio } from './twilio.ts';
import { typeform } from './typeform.ts';
import { vonage } from './vonage.ts';
import { webflow } from './webflow.ts';
import { website } from './website.ts';
import { whatsapp } from './whatsapp.ts';
import { wpforms } from './wpforms.ts';
import { zapier } from './zapier.ts';
import { zendesk } from './zendesk.ts';

export const PROVIDERS: readonly Provider[] = [
  // own programs and standards
  website,
  cloudevents,
  zapier,
  make,
  // forms
  typeform,
  tally,
  jotform,
  webflow,
  netlify,
  formspree,
  gravityForms,
  contactForm7,
  wpforms,
  // ads
  googleAds,
  metaLeads,
  linkedin,
  // phone, chat, mail, calendars
  twilio,
  whatsapp,
  callrail,
  aircall,
  quo,
  vonage,
  dialpad,
  calendly,
  calcom,
  hubspot,
  intercom,
  zendesk,
  mailgun,
  postmark,
  sendgrid,
  sns,
  slackActions,
];

/** The sources by the name in their address. */
export const allSources = (locale: Locale): ReadonlyMap<string, SignalSource> => new Map(PROVIDERS.map((provider) => [provider.name, sourceOf(provider, locale)]));

export const providerNamed = (name: string): Provider | undefined => PROVIDERS.find((provider) => provider.name === name);

export type Email = { to: string; subject: string; text: string; html: string; reference: string };
export type Sms = { to: string; text: string; reference: string };

export type Sent =
  | { kind: 'sent'; providerId: string }
  /** The provider refused for good: bad address, suppressed, opted out. */
  | { kind: 'refused'; because: string }
  /** The provider took nothing, and may take it later: too busy, stopped, out of reach. Sending again sends once. */
  | { kind: 'not-taken'; because: string };

/** Throws when the outcome is unclear; the caller's claim then stays open for reconcile. */
export interface EmailSender {
  send(email: Email): Promise<Sent>;
}

/** As `EmailSender`, by text message: at most 160 GSM septets. */
export interface SmsSender {
  send(sms: Sms): Promise<Sent>;
}

/** A message to one member of the workspace; `blocks` are Slack's own, `text` is what a notification shows. */
export type SlackMessage = { to: string; text: string; blocks?: readonly object[] };

/** As `EmailSender`, into a person's direct messages. */
export interface SlackSender {
  send(message: SlackMessage): Promise<Sent>;
}

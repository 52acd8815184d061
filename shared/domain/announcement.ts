// What a delivery says besides being a request: facts for other parts of Baton, and for partners on the bus.

/** A channel on which an address can be shut. */
export type SuppressedChannel = 'sms' | 'email';

/** The person behind an address wants no more messages there, or wants them again; or the address itself takes none. */
export type ContactChoice = {
  kind: 'contact.opted-out' | 'contact.opted-in';
  source: string;
  eventId: string;
  occurredAt: string;
  channel: SuppressedChannel;
  /** E-mail address or phone number in E.164: personal data, on its way to a keyed hash. */
  address: string;
  because: OptOutReason;
};

/** `asked-in-words` is a wish in a sentence that a person still reads; messages stop meanwhile (MS-10). */
export const OPT_OUT_REASONS = ['keyword', 'asked-in-words', 'complaint', 'unsubscribed', 'hard-bounce', 'refused-by-carrier'] as const;
export type OptOutReason = (typeof OPT_OUT_REASONS)[number];

/** A customer answered a message. The words are in the signal of the same source and event id. */
export type CustomerReplied = {
  kind: 'customer.replied';
  source: string;
  eventId: string;
  occurredAt: string;
  /** What the address of the reply carried, such as `lead_01JD` of `reply+lead_01JD@…`. It finds the thread; it proves nothing. */
  thread?: string;
};

export const DELIVERY_STATES = ['sent', 'delayed', 'delivered', 'failed', 'bounced', 'complained'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** What a provider reports about a message that was sent. Weak evidence: it never touches a decision (CC-04, MS-06). */
export type MessageReported = {
  kind: 'message.reported';
  /** Who reports: `ses`, `sms-voice`, `twilio`, … */
  provider: string;
  /** The provider's id of the message, as its send call answered it. */
  messageId: string;
  state: DeliveryState;
  occurredAt: string;
  channel: SuppressedChannel;
  /** What we sent along: `<handoff id>:<effect>`. */
  reference?: string;
  /** The provider's own word for it, such as `Permanent/General` or `30003`; never its free text. */
  detail?: string;
};

/** Somebody pressed a button of ours in Slack. Nothing has been decided by it. */
export type SlackAnswered = {
  kind: 'slack.answered';
  eventId: string;
  occurredAt: string;
  team: string;
  user: string;
  channel: string;
  messageTs: string;
  /** Name of the button, such as `baton_accept`. */
  action: string;
  /** What we put into the button: an opaque link id, never a lead. */
  value: string;
  /** Selections on the same message, by their action id. */
  chosen: Readonly<Record<string, string>>;
};

export type Announcement = ContactChoice | CustomerReplied | MessageReported | SlackAnswered;

// The mailbox of a running Baton, as a client reads it.

export type Message = { id: string; channel: 'email' | 'sms'; to: string; subject: string; text: string; html: string; links: string[]; sentAt: string };

/** Every message sent so far, oldest first. */
export async function readMailbox(url: string): Promise<Message[]> {
  const answer = await fetch(url, { headers: { accept: 'application/json' } });
  if (!answer.ok) throw new Error(`the mailbox answered ${answer.status}`);
  const messages = (await answer.json()) as Message[];
  return messages.sort((a, b) => a.sentAt.localeCompare(b.sentAt) || Number(a.id) - Number(b.id));
}

/** The answer link of a message. */
export function linkIn(message: Pick<Message, 'to' | 'links'>): string {
  const link = message.links.find((one) => new URL(one).pathname.startsWith('/a/'));
  if (link === undefined) throw new Error(`the message to ${message.to} carries no link to answer`);
  return link;
}

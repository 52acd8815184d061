// One port in front of a Baton deployed into MiniStack, as people, sources and AWS clients see it: the HTTP API, the mailbox, the endpoint.

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Message } from './mailbox.ts';

type SentEmail = { MessageId: string; To: string[]; Subject: string; BodyText: string; BodyHtml: string; Timestamp: number };
export type Delivered = { source: string; eventId: string };

/** Listens before anything is deployed, because the deployment must know the address of its links. */
export class MinistackFront {
  /** Signals that were taken in: by the intake, with 2xx, or by the bus. */
  delivered: Delivered[] = [];
  /** How many events other than signals were put since somebody last asked; what they cause cannot be foreseen here. */
  otherEvents = 0;
  readonly #server: Server;
  readonly #sms: Message[] = [];
  #behind: { port: number; host: string } | undefined;

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (asked, answer) => void this.#answer(asked, answer));
  }

  static async listen(): Promise<MinistackFront> {
    const server = createServer({ keepAliveTimeout: 60_000 });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new MinistackFront(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What functions send SMS to. */
  get smsEndpoint(): string {
    return `${this.url}/_sms`;
  }

  /** From now on requests go to this API. */
  open(port: number, apiId: string): void {
    this.#behind = { port, host: `${apiId}.execute-api.localhost:${port}` };
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  /** Everything sent so far, as the local runtime's mailbox tells it. */
  async messages(): Promise<Message[]> {
    const answer = await fetch(`http://127.0.0.1:${this.#behind?.port}/_ministack/ses/messages`);
    const { messages } = (await answer.json()) as { messages: Record<string, SentEmail[]> };
    const emails = Object.values(messages).flat().map(emailMessage);
    return [...emails, ...this.#sms].map((message, index) => ({ ...message, id: message.id || String(index) }));
  }

  async #answer(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    try {
      const body = await bytesOf(asked);
      if (asked.url === '/_baton/mailbox') return json(answer, await this.messages());
      if (asked.url === '/_baton/time') return json(answer, { now: new Date().toISOString() });
      if (asked.url?.startsWith('/_sms')) return json(answer, this.#takeSms(body));
      if (isForAws(asked)) this.#notePut(asked, body);
      const behind = await this.#pass(asked, body);
      if (!isForAws(asked)) this.#note(asked, behind);
      answer.writeHead(behind.status, behind.rawHeaders);
      answer.end(behind.body);
    } catch (fault) {
      answer.writeHead(502).end(String(fault));
    }
  }

  #takeSms(body: Buffer): { MessageId: string } {
    const { DestinationPhoneNumber: to, MessageBody: text } = JSON.parse(body.toString('utf8')) as Record<string, string>;
    const id = randomUUID();
    this.#sms.push({ id, channel: 'sms', to: to ?? '', subject: '', text: text ?? '', html: '', links: linksIn(text ?? ''), sentAt: new Date().toISOString() });
    return { MessageId: id };
  }

  #notePut({ headers }: IncomingMessage, body: Buffer): void {
    if (headers['x-amz-target'] !== 'AWSEvents.PutEvents') return;
    const { Entries = [] } = JSON.parse(body.toString('utf8')) as { Entries?: { DetailType: string; Detail: string }[] };
    for (const { DetailType, Detail } of Entries) {
      const { signal } = JSON.parse(Detail) as { signal?: Partial<Delivered> };
      if (DetailType === 'signal.received' && signal?.source !== undefined && signal.eventId !== undefined) this.delivered.push({ source: signal.source, eventId: signal.eventId });
      else this.otherEvents += 1;
    }
  }

  #note(asked: IncomingMessage, { status, body }: Passed): void {
    const source = /^\/in\/([a-z0-9-]+)$/.exec(asked.url ?? '')?.[1];
    if (source === undefined || asked.method !== 'POST' || status >= 300) return;
    const text = body.toString('utf8');
    const { received } = (text.startsWith('{') ? JSON.parse(text) : {}) as { received?: string[] };
    if (received === undefined)
      this.otherEvents += 1; // a provider that is answered in its own form, such as Twilio's XML
    else this.delivered.push(...received.map((eventId) => ({ source, eventId })));
  }

  #pass(asked: IncomingMessage, body: Buffer): Promise<Passed> {
    const behind = this.#behind;
    if (behind === undefined) throw new Error('nothing is deployed yet');
    return new Promise((resolve, reject) => {
      const headers = isForAws(asked) ? asked.headers : { ...asked.headers, host: behind.host };
      const sent = request({ host: '127.0.0.1', port: behind.port, method: asked.method, path: asked.url, headers }, (answer) => {
        bytesOf(answer).then((bytes) => resolve({ status: answer.statusCode ?? 502, rawHeaders: answer.rawHeaders, body: bytes }), reject);
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }
}

const isForAws = ({ headers }: IncomingMessage) => headers['x-amz-target'] !== undefined || headers.authorization?.startsWith('AWS4-') === true;

type Passed = { status: number; rawHeaders: string[]; body: Buffer };

function emailMessage(sent: SentEmail): Message {
  const { MessageId: id, To, Subject: subject, BodyText: text, BodyHtml: html, Timestamp } = sent;
  return { id, channel: 'email', to: To[0] ?? '', subject, text, html, links: linksIn(text), sentAt: new Date(Timestamp * 1000).toISOString() };
}

const linksIn = (text: string) => [...new Set(text.match(/https?:\/\/[^\s<>"]+/g) ?? [])];

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function json(answer: ServerResponse, value: unknown): void {
  answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

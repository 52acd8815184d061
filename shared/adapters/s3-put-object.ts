// One object into a bucket. Signed and sent with the parts that the SDK clients bring along: the S3 client itself would be a
// quarter of a function that only puts, and a quarter of its start.

import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AwsCredentialIdentity, Checksum, HttpRequest, HttpResponse } from '@smithy/types';

export type BucketAccess = {
  region: string;
  credentials: () => Promise<AwsCredentialIdentity>;
  /** Another place that speaks S3, in path style; the region's own when absent. */
  endpoint?: string | undefined;
  send?: (request: HttpRequest) => Promise<HttpResponse>;
};

/** How often an object is sent before the fault is told, and how long one answer may take. */
export type Patience = { attempts: number; milliseconds: number };

/** An object with its key. Nothing needs to be escaped in a key of ours. */
export type NewObject = { key: string; contentType: string; metadata?: Readonly<Record<string, string>>; body: Uint8Array };

/** What puts one object into the bucket with this name and replaces an earlier one. Throws the last fault unless it is stored. */
export function s3PutObject(bucket: string, { region, credentials, endpoint, send }: BucketAccess, { attempts, milliseconds }: Patience): (object: NewObject) => Promise<void> {
  const signer = new SignatureV4({ service: 's3', region, credentials, sha256: Sha256, uriEscapePath: false });
  const base = new URL(endpoint ?? `https://${bucket}.s3.${region}.amazonaws.com`);
  const sent = send ?? sender(milliseconds);
  return async ({ key, contentType, metadata = {}, body }) => {
    const path = endpoint === undefined ? `/${key}` : `/${bucket}/${key}`;
    const named = Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`x-amz-meta-${name}`, value]));
    const request = { ...addressOf(base), method: 'PUT', path, query: {}, headers: { host: base.host, 'content-type': contentType, ...named }, body };
    for (let left = attempts - 1; ; left--) {
      const fault = await put(await signer.sign(request), sent).catch((cause: unknown) => cause);
      if (fault === undefined) return;
      if (left === 0) throw fault;
    }
  };
}

/** Undefined when it is stored. */
async function put(signed: HttpRequest, send: (request: HttpRequest) => Promise<HttpResponse>): Promise<Error | undefined> {
  const { statusCode, body } = await send(signed);
  (body as { resume?(): void } | undefined)?.resume?.(); // or the connection stays taken
  return statusCode === 200 ? undefined : new Error(`S3 answered ${statusCode}`);
}

function addressOf({ protocol, hostname, port }: URL) {
  return { protocol, hostname, ...(port !== '' && { port: Number(port) }) };
}

function sender(requestTimeout: number): (request: HttpRequest) => Promise<HttpResponse> {
  const handler = new NodeHttpHandler({ connectionTimeout: 1000, requestTimeout, throwOnRequestTimeout: true });
  return async (request) => (await handler.handle(request as never)).response; // it asks for the SDK's own class, and reads these fields of it
}

/** SHA-256, or HMAC with a key, in the form that the signer asks for. */
class Sha256 implements Checksum {
  readonly #key: string | ArrayBuffer | ArrayBufferView | undefined;
  #state: Hash | Hmac;
  constructor(key?: string | ArrayBuffer | ArrayBufferView) {
    this.#key = key;
    this.#state = stateOf(key);
  }
  update(bytes: Uint8Array): void {
    this.#state.update(bytes);
  }
  async digest(): Promise<Uint8Array> {
    return this.#state.digest();
  }
  reset(): void {
    this.#state = stateOf(this.#key);
  }
}

const stateOf = (key?: string | ArrayBuffer | ArrayBufferView): Hash | Hmac => (key === undefined ? createHash('sha256') : createHmac('sha256', key as Uint8Array));

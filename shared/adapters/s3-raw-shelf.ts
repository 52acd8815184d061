// Deliveries as they came, in a bucket that forgets them. Signed and sent with the parts that the SDK clients bring along:
// the S3 client itself would take the one function whose start a sender feels over its budget.

import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AwsCredentialIdentity, Checksum, HttpRequest, HttpResponse } from '@smithy/types';
import type { RawShelf } from '../ports/raw-shelf.ts';
import { packedHeaders, RAW_HEADERS } from './raw-headers.ts';
import { rawReference } from './raw-reference.ts';

/** The provider waits meanwhile (LA-07). */
const ATTEMPTS = 2;
const TIMEOUTS = { connectionTimeout: 1000, requestTimeout: 2000, throwOnRequestTimeout: true };

/** The bytes are not in the bucket. The sender still has them and is asked to send them again. */
class RawNotKept extends Error {
  override readonly name = 'RawNotKeptTimeout';
}

export type RawShelfSettings = {
  region: string;
  credentials: () => Promise<AwsCredentialIdentity>;
  /** Another place that speaks S3, in path style; the region's own when absent. */
  endpoint?: string | undefined;
  send?: (request: HttpRequest) => Promise<HttpResponse>;
};

/** The bucket with this name. An object is named by its content, so keeping it again only lengthens its time. */
export function s3RawShelf(bucket: string, { region, credentials, endpoint, send = sender() }: RawShelfSettings): RawShelf {
  const signer = new SignatureV4({ service: 's3', region, credentials, sha256: Sha256, uriEscapePath: false });
  const base = new URL(endpoint ?? `https://${bucket}.s3.${region}.amazonaws.com`);
  return {
    async keep({ source, contentType, headers: kept, body }) {
      const key = rawReference(source, body);
      const path = endpoint === undefined ? `/${key}` : `/${bucket}/${key}`;
      const headers = { host: base.host, 'content-type': contentType, ...(Object.keys(kept).length > 0 && { [`x-amz-meta-${RAW_HEADERS}`]: packedHeaders(kept) }) };
      const request = { ...addressOf(base), method: 'PUT', path, query: {}, headers, body };
      const faults: unknown[] = [];
      while (faults.length < ATTEMPTS) {
        const fault = await put(await signer.sign(request), send).catch((cause: unknown) => cause);
        if (fault === undefined) return key;
        faults.push(fault);
      }
      throw new RawNotKept(`a delivery of ${source} could not be kept`, { cause: faults.at(-1) });
    },
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

function sender(): (request: HttpRequest) => Promise<HttpResponse> {
  const handler = new NodeHttpHandler(TIMEOUTS);
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

import type { IncomingMessage } from 'node:http';

/** Reads a request body; undefined as soon as it is larger than `limit`. By events: an async iterator would cost more than the rest of a small request. */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (body: Buffer | undefined): void => {
      request.removeAllListeners('data');
      resolve(body);
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) end(undefined);
      else chunks.push(chunk);
    });
    request.on('end', () => end(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', reject);
    request.on('close', () => reject(new Error('the client went away')));
  });
}

import { Agent, request } from 'node:http';
import { AwsError, REGION } from '../../kernel/types.ts';

export type EngineAnswer = { status: number; headers: Record<string, string>; body: Buffer };

/** Credentials are checked at the gateway; the database only wants to see some. */
const AUTHORIZATION = `AWS4-HMAC-SHA256 Credential=baton/20260101/${REGION}/dynamodb/aws4_request, SignedHeaders=host;x-amz-date;x-amz-target, Signature=0`;

/** ARNs as the databases write them, with a Region of their own. */
const ENGINE_ARN = /arn:aws:dynamodb:(dynoxide|ddblocal):/g;

/** Talks to the database in its protocol, with ARNs as AWS would write them. */
export class EngineClient {
  readonly #endpoint: URL;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });
  #engineRegion = REGION;

  constructor(endpoint: string) {
    this.#endpoint = new URL(endpoint);
  }

  /** Sends a request body as it is. `withArns` says that request and answer may contain ARNs, which differ here. */
  async send(target: string, body: string | Buffer, withArns = false): Promise<EngineAnswer> {
    const sent = withArns ? body.toString('utf8').replaceAll(`arn:aws:dynamodb:${REGION}:`, `arn:aws:dynamodb:${this.#engineRegion}:`) : body;
    const answer = await this.#post(target, sent);
    if (!withArns) return answer;
    const text = answer.body.toString('utf8').replace(ENGINE_ARN, (_, region: string) => {
      this.#engineRegion = region;
      return `arn:aws:dynamodb:${REGION}:`;
    });
    const { 'x-amz-crc32': _, ...headers } = answer.headers;
    return { ...answer, headers, body: Buffer.from(text) };
  }

  /** Calls an operation of the runtime's own. Throws the database's error under its name. */
  async call<T>(operation: string, input: unknown): Promise<T> {
    const streams = ['ListStreams', 'DescribeStream', 'GetShardIterator', 'GetRecords'].includes(operation);
    const { status, body } = await this.send(`${streams ? 'DynamoDBStreams' : 'DynamoDB'}_20120810.${operation}`, JSON.stringify(input), true);
    const output = JSON.parse(body.toString('utf8') || '{}') as Record<string, unknown>;
    if (status >= 300) throw new AwsError(String(output.__type ?? 'Unknown').replace(/^.*#/, ''), String(output.message ?? output.Message ?? status), status);
    return output as T;
  }

  stop(): void {
    this.#agent.destroy();
  }

  #post(target: string, body: string | Buffer): Promise<EngineAnswer> {
    return new Promise((resolve, reject) => {
      const sent = request(
        this.#endpoint,
        {
          method: 'POST',
          agent: this.#agent,
          headers: {
            'content-type': 'application/x-amz-json-1.0',
            'content-length': Buffer.byteLength(body),
            'x-amz-target': target,
            'x-amz-date': new Date().toISOString().replace(/[-:]|\.\d+/g, ''),
            authorization: AUTHORIZATION,
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const headers = Object.entries(response.headers).filter(([name]) => ['content-type', 'x-amzn-requestid', 'x-amz-crc32'].includes(name));
            resolve({ status: response.statusCode ?? 500, headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])), body: Buffer.concat(chunks) });
          });
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }
}

import { parseArgs } from 'node:util';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { dynamodbHandoffStore } from '../../shared/adapters/dynamodb-handoff-store.ts';
import { dynamodbSignalLog } from '../../shared/adapters/dynamodb-signal-log.ts';
import { dynamodbTable, type Table } from '../../shared/adapters/dynamodb-table.ts';
import { handoffId } from '../../shared/domain/ids.ts';
import { type Output, UsageError } from '../command.ts';
import { findInstallation, INSTALLATION_OPTIONS } from '../installation.ts';

type Asked = { title: string; rawRef: string | undefined };

/** Prints deliveries as they came, by the caller's own right to read the bucket; no function of Baton has it. */
export async function showRaw(args: string[], output: Output): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: INSTALLATION_OPTIONS });
  const { outputs } = findInstallation(values);
  const asked = await deliveriesOf(positionals, dynamodbTable(outputs.TableName));
  const texts = await Promise.all(
    asked.map(async ({ title, rawRef }) => ({ title, rawRef, found: rawRef === undefined ? undefined : await fetchRaw(outputs.RawBucketName, rawRef) })),
  );
  for (const { title, rawRef, found } of texts) {
    if (found === undefined) output.error(`${title}: ${rawRef === undefined ? 'came without a delivery of its own' : `${rawRef} has expired`}`);
    else {
      output.error(`${title}: ${rawRef}, ${found.contentType}`);
      output.line(found.text);
    }
  }
  return texts.some(({ found }) => found !== undefined) ? 0 : 1;
}

/** A handoff asks for everything that joined it, a source and event id for one signal. */
async function deliveriesOf([first = '', second, ...more]: readonly string[], table: Table): Promise<Asked[]> {
  if (first === '' || more.length > 0) throw new UsageError('name a handoff, or a source and the id of its event.');
  const keys = second === undefined ? await sourcesOf(first, table) : [{ source: first, eventId: second }];
  const signals = await Promise.all(keys.map((key) => dynamodbSignalLog(table).find(key)));
  return signals.flatMap((found, index) => {
    const { source = '', eventId = '' } = keys[index] ?? {};
    if (found === undefined) throw new UsageError(`there is no signal ${eventId} of ${source}.`);
    return [{ title: `${source} ${eventId}`, rawRef: found.signal.rawRef }];
  });
}

async function sourcesOf(name: string, table: Table): Promise<{ source: string; eventId: string }[]> {
  const loaded = await dynamodbHandoffStore(table).load(handoffId(name));
  if (loaded === undefined) throw new UsageError(`there is no handoff ${name}.`);
  return loaded.packet.sources.map(({ system, eventId }) => ({ source: system, eventId }));
}

/** Undefined once the bucket has forgotten it. */
async function fetchRaw(bucket: string, key: string): Promise<{ text: string; contentType: string } | undefined> {
  try {
    const { Body, ContentType = '' } = await new S3Client({ forcePathStyle: true }).send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    return { text: (await Body?.transformToString('utf-8')) ?? '', contentType: ContentType };
  } catch (error) {
    if (error instanceof Error && error.name === 'NoSuchKey') return undefined;
    throw error;
  }
}

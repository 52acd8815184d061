import { parseArgs } from 'node:util';
import { dynamodbErasureLog, type Erasure } from '../../shared/adapters/dynamodb-erasure-log.ts';
import { dynamodbHandoffReader } from '../../shared/adapters/dynamodb-handoff-reader.ts';
import { dynamodbSignalLog } from '../../shared/adapters/dynamodb-signal-log.ts';
import { dynamodbTable, type Table } from '../../shared/adapters/dynamodb-table.ts';
import { handoffId } from '../../shared/domain/ids.ts';
import { type Output, UsageError } from '../command.ts';
import { findInstallation, INSTALLATION_OPTIONS, timeOf } from '../installation.ts';
import { deleteRaw, fetchRaw, isThere } from '../raw-deliveries.ts';
import { whoErases } from '../who-erases.ts';

type Asked = { title: string; rawRef: string | undefined };
type Shelf = { bucket: string; erasures: ReturnType<typeof dynamodbErasureLog> };

/** Prints deliveries as they came, or erases them, by the caller's own right; no function of Baton has it. */
export async function showRaw(args: string[], output: Output): Promise<number> {
  const options = { ...INSTALLATION_OPTIONS, erase: { type: 'boolean' }, by: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  const installation = findInstallation(values);
  const { TableName, RawBucketName: bucket } = installation.outputs;
  const table = dynamodbTable(TableName);
  const shelf = { bucket, erasures: dynamodbErasureLog(table) };
  const by = values.erase === true ? await whoErases(values.by, table) : undefined;
  if (by === undefined && values.by !== undefined) throw new UsageError('--by belongs to --erase.');
  const asked = await deliveriesOf(positionals, table);
  const at = by === undefined ? '' : await timeOf(installation);
  const done: boolean[] = [];
  for (const one of asked) done.push(by === undefined ? await show(one, shelf, output) : await erase(one, { ...shelf, by, at }, output));
  return done.some((one) => one) ? 0 : 1;
}

async function show({ title, rawRef }: Asked, { bucket, erasures }: Shelf, output: Output): Promise<boolean> {
  const found = rawRef === undefined ? undefined : await fetchRaw(bucket, rawRef);
  if (rawRef === undefined || found === undefined) {
    output.error(`${title}: ${rawRef === undefined ? 'came without a delivery of its own' : `${rawRef} ${whatBecame(await erasures.of(rawRef))}`}`);
    return false;
  }
  output.error(`${title}: ${rawRef}, ${found.contentType}`);
  for (const [name, value] of Object.entries(found.headers)) output.error(`  ${name}: ${value}`);
  output.line(found.text);
  return true;
}

/** Noted before it is deleted: an erasure that nobody could be asked about is worse than a note of one that has to be said again. */
async function erase({ title, rawRef }: Asked, { bucket, erasures, by, at }: Shelf & Erasure, output: Output): Promise<boolean> {
  if (rawRef === undefined) {
    output.error(`${title}: came without a delivery of its own`);
    return false;
  }
  if (await isThere(bucket, rawRef)) {
    await erasures.note(rawRef, { by, at });
    await deleteRaw(bucket, rawRef);
  }
  const noted = await erasures.of(rawRef);
  output.line(`${title}: ${rawRef} ${whatBecame(noted)}`);
  return noted.length > 0;
}

function whatBecame(erasures: readonly Erasure[]): string {
  const last = erasures.at(-1);
  return last === undefined ? 'has expired' : `was erased by ${last.by} at ${last.at}`;
}

/** A handoff asks for everything that joined it, a source and event id for one signal. Several signals may have come in one delivery. */
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
  const loaded = await dynamodbHandoffReader(table).load(handoffId(name));
  if (loaded === undefined) throw new UsageError(`there is no handoff ${name}.`);
  return loaded.packet.sources.map(({ system, eventId }) => ({ source: system, eventId }));
}

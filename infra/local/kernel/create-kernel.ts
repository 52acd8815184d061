import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { RuntimeAgenda } from './agenda.ts';
import { openJournal, readFact, rememberFact } from './journal.ts';
import { lockFolder } from './lock.ts';
import { RuntimeLog } from './log.ts';
import { SteerableTime } from './time.ts';
import type { Iam, Kernel, Services } from './types.ts';
import { WorkUnderWay } from './work.ts';

const OFFSET = 'time.offset';

/** The kernel with its concrete parts; services receive it as `Kernel`. */
export type LocalKernel = Omit<Kernel, 'time' | 'agenda' | 'work' | 'iam'> & {
  time: SteerableTime;
  agenda: RuntimeAgenda;
  work: WorkUnderWay;
  iam: Iam;
  db: DatabaseSync;
  book: RuntimeLog;
  /** Closes the journal and lets go of the data folder. */
  close(): void;
};

export type KernelOptions = {
  dataDir: string;
  assets: ReadonlyMap<string, string>;
  print?: ((line: string) => void) | undefined;
  /** Where the clock of a new data folder begins; the real time when absent. */
  startsAt?: string | undefined;
};

/** Opens a data folder and builds the kernel over it. Throws when another runtime uses the folder. */
export function createKernel({ dataDir, assets, print, startsAt }: KernelOptions): LocalKernel {
  makeFolder(dataDir);
  const unlock = lockFolder(join(dataDir, 'lock.sqlite'), dataDir);
  try {
    const db = openJournal(join(dataDir, 'runtime.sqlite'));
    const remember = (offset: number) => rememberFact(db, OFFSET, String(offset));
    const known = readFact(db, OFFSET);
    const offset = known !== undefined ? Number(known) : startsAt !== undefined ? Date.parse(startsAt) - Date.now() : 0;
    if (known === undefined && startsAt !== undefined) remember(offset);
    const time = new SteerableTime(offset, remember);
    const book = new RuntimeLog(() => time.now(), print);
    const work = new WorkUnderWay();
    const onFault = (id: string, fault: unknown) =>
      book.write({ service: 'agenda', message: `${id} failed: ${fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)}` });
    const close = (): void => {
      db.close();
      unlock();
    };
    return {
      time,
      agenda: new RuntimeAgenda({ time, work, onFault }),
      work,
      db,
      iam: notBooted,
      services: notBootedServices(),
      assetPath: (key) => assets.get(key),
      log: book.write,
      book,
      close,
    };
  } catch (fault) {
    unlock();
    throw fault;
  }
}

function makeFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true });
  } catch (fault) {
    throw new Error(`${dataDir} cannot be used as data folder (${fault instanceof Error ? fault.message : String(fault)}). Choose another folder with --data.`, { cause: fault });
  }
}

const notBooted: Iam = {
  authorize() {
    throw new Error('IAM is not there yet');
  },
};

/** Services that say clearly that they are used too early. */
function notBootedServices(): Services {
  return new Proxy({} as Services, {
    get(_, name) {
      throw new Error(`service ${String(name)} is not there yet`);
    },
  });
}

import { watch } from 'node:fs';
import { join } from 'node:path';

/** Long enough for an editor, a formatter or a checkout to be through with writing. */
const QUIET_MILLISECONDS = 150;

export type Watched = {
  folders: readonly string[];
  /** Whether a change of this file matters; editors write files of their own beside it. */
  matters?: (path: string) => boolean;
  quietMilliseconds?: number;
};

/** Calls `changed` after files in these folders changed and stayed quiet for a moment: never twice at once, and once more when something changed meanwhile. */
export function watchFolders({ folders, matters = isSource, quietMilliseconds = QUIET_MILLISECONDS }: Watched, changed: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let running = false;
  let again = false;
  const run = async (): Promise<void> => {
    if (running) {
      again = true;
      return;
    }
    running = true;
    try {
      await changed();
    } finally {
      running = false;
      if (again) arm();
      again = false;
    }
  };
  const arm = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void run(), quietMilliseconds);
  };
  const watchers = folders.map((folder) =>
    watch(folder, { recursive: true }, (_, file) => {
      if (file === null || matters(join(folder, file))) arm();
    }),
  );
  return () => {
    clearTimeout(timer);
    for (const each of watchers) each.close();
  };
}

/** Not the files editors keep beside the one they change. */
const isSource = (path: string): boolean => !/(^|\/)(\.[^/]*|[^/]*~|[^/]*\.(swp|swx|tmp)|4913)$/.test(path);

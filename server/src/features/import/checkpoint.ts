import { hash } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { Tally } from './tally.ts';

export interface Progress {
  /** The last finished row. */
  readonly at: string;
  readonly tally: Tally;
}

export interface Checkpoint {
  readonly file: string;
  /** Returns where an earlier run of the same import stopped. */
  read(): Promise<Progress | undefined>;
  save(progress: Progress): Promise<void>;
  clear(): Promise<void>;
}

/** Stores the progress of an import. `identity` names source and target: another import must not resume from here. */
export function openCheckpoint({ file, identity }: { file: string; identity: unknown }): Checkpoint {
  const print = hash('sha256', JSON.stringify(identity));

  return {
    file,
    async read() {
      const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      });
      if (text === undefined) return undefined;
      const { print: other, ...progress } = JSON.parse(text) as Progress & { print: string };
      if (other !== print)
        throw new Error(
          `${file} belongs to another import, or its source has changed; omit --resume: existing accounts are recognised`,
        );
      return progress;
    },
    async save(progress) {
      await writeFile(`${file}.new`, JSON.stringify({ print, ...progress }));
      await rename(`${file}.new`, file);
    },
    clear: () => rm(file, { force: true }),
  };
}

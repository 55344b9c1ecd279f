import { open, readFile, truncate } from 'node:fs/promises';
import type { JournalEntry, LedgerEvent } from './ledger.ts';

export type Journal = {
  append: (event: LedgerEvent) => Promise<void>;
  close: () => Promise<void>;
};

/** A journal that lasts only as long as the zone runs. */
export const memoryJournal: Journal = {
  append: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

export async function openJournal(file: string): Promise<{ journal: Journal; events: LedgerEvent[] }> {
  const { events, intactBytes } = await readLines(file);
  const handle = await open(file, 'a');
  await truncate(file, intactBytes);

  let waiting: string[] = [];
  let writing: Promise<void> = Promise.resolve();

  // Entries queued while the previous batch was syncing share the next fsync.
  async function writeBatch() {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    await handle.appendFile(batch.join(''));
    await handle.datasync();
  }

  return {
    events,
    journal: {
      append(event) {
        waiting.push(`${JSON.stringify(event)}\n`);
        writing = writing.then(writeBatch);
        return writing;
      },
      async close() {
        await writing;
        await handle.close();
      },
    },
  };
}

/** Returns every deduction requested of a zone, read from its journal file. */
export async function readJournal(file: string): Promise<JournalEntry[]> {
  const { events } = await readLines(file);
  return events.flatMap((event) => (event.event === 'deduct' ? [event.entry] : []));
}

// A kill during a write leaves a torn last line. It was never answered, so it is dropped.
async function readLines(file: string): Promise<{ events: LedgerEvent[]; intactBytes: number }> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
  const intactBytes = bytes.lastIndexOf('\n') + 1;
  const lines = bytes.toString('utf8', 0, intactBytes).split('\n').slice(0, -1);
  return { events: lines.map((line) => JSON.parse(line)), intactBytes };
}

import { open, readFile, truncate } from 'node:fs/promises';
import type { JournalEntry, LedgerEvent } from './ledger.ts';

export type Journal = {
  append: (event: LedgerEvent) => Promise<void>;
  close: () => Promise<void>;
};

/** A zone without a journal file keeps its truth only as long as it runs. */
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

  // Everything that queued up while the previous batch was syncing shares the next fsync.
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

/** Every deduction that was asked of a zone, read from its journal file after the fact. */
export async function readJournal(file: string): Promise<JournalEntry[]> {
  const { events } = await readLines(file);
  return events.flatMap((event) => (event.event === 'deduct' ? [event.entry] : []));
}

// A kill in the middle of a write leaves a torn last line: it was never answered, so it never happened.
async function readLines(file: string): Promise<{ events: LedgerEvent[]; intactBytes: number }> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
  const intactBytes = bytes.lastIndexOf('\n') + 1;
  const lines = bytes.toString('utf8', 0, intactBytes).split('\n').slice(0, -1);
  return { events: lines.map((line) => JSON.parse(line)), intactBytes };
}

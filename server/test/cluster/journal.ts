import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';

/** Kinds of writes: chat by text, players by account, entries by account, withdrawals by id. */
export type Write = 'chat' | 'register' | 'enter' | 'withdraw';

interface Line {
  readonly what: 'sent' | 'acknowledged';
  readonly write: Write;
  readonly ids: readonly string[];
}

/** Records, outside the system under test, what was sent and what was acknowledged. */
export interface Journal {
  sent(write: Write, ids: readonly string[]): void;
  acknowledged(write: Write, ids: readonly string[]): void;
  readonly acknowledgements: number;
  close(): void;
}

export function openJournal(file: string): Journal {
  const handle = openSync(file, 'a');
  let acknowledgements = 0;
  const append = (line: Line) => void writeSync(handle, `${JSON.stringify(line)}\n`);
  return {
    sent: (write, ids) => append({ what: 'sent', write, ids }),
    acknowledged(write, ids) {
      append({ what: 'acknowledged', write, ids });
      acknowledgements += ids.length;
    },
    get acknowledgements() {
      return acknowledgements;
    },
    close: () => closeSync(handle),
  };
}

/** How often each id was sent and acknowledged. */
export type Tally = ReadonlyMap<string, { readonly sent: number; readonly acknowledged: number }>;

export function readTallies(file: string): Record<Write, Tally> {
  const tallies = { chat: new Map(), register: new Map(), enter: new Map(), withdraw: new Map() };
  for (const text of readFileSync(file, 'utf8').split('\n').slice(0, -1)) {
    const { what, write, ids } = JSON.parse(text) as Line;
    for (const id of ids) {
      const known = tallies[write].get(id) ?? { sent: 0, acknowledged: 0 };
      tallies[write].set(id, { ...known, [what]: known[what] + 1 });
    }
  }
  return tallies;
}

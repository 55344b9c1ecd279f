import type { JournalEntry } from '@gatehouse/simulators/zone';
import type { FinalReply } from './load.ts';

export interface Record {
  readonly id: string;
  readonly amount: number;
  readonly state: string;
}

export interface Evidence {
  readonly records: readonly Record[];
  /** Every deduction requested from the zones. */
  readonly journal: readonly JournalEntry[];
  readonly replies: readonly FinalReply[];
  /** Ids in answers of 200 or 202. */
  readonly accepted: ReadonlySet<string>;
  readonly balances: readonly number[];
  readonly history: History;
}

/** What the service stores besides the records; the control stores nothing. */
export interface History {
  /** Amount counted towards the daily maximum, over all players. */
  readonly dayTotal: number | undefined;
  /** Ordered by number. */
  readonly events: readonly {
    readonly withdraw_id: string;
    readonly from_state: string | null;
    readonly to_state: string;
  }[];
}

/** Ways to lose or make up money; all must be 0. */
export interface Violations {
  readonly 'double deductions': number;
  readonly 'done, but not taken': number;
  readonly 'taken, but not done': number;
  readonly 'taken, but not in the database': number;
  readonly 'accepted, but lost': number;
  readonly 'answered otherwise than recorded': number;
  readonly 'deductions beyond the balance': number;
  readonly 'negative balances': number;
  readonly 'currency taken less sum of done': number;
  readonly 'counted for the day less sum of done': number;
  readonly 'events that do not follow each other': number;
  readonly 'left open': number;
}

const FINAL = ['done', 'refused', 'failed'];

export function judge({ records, journal, replies, accepted, balances, history }: Evidence): Violations {
  const byId = new Map(records.map((record) => [record.id, record]));
  const taken = new Map<string, JournalEntry[]>();
  for (const entry of journal.filter(({ deducted }) => deducted))
    taken.set(entry.order, [...(taken.get(entry.order) ?? []), entry]);
  const takenFor = (id: string) => taken.get(id) ?? [];
  const total = (amounts: readonly { amount: number }[]) =>
    amounts.reduce((sum, { amount }) => sum + amount, 0);
  const done = records.filter(({ state }) => state === 'done');
  const isTaken = ({ id, amount }: Record) => takenFor(id).some((entry) => entry.amount === amount);

  return {
    'double deductions': [...taken.values()].filter((entries) => entries.length > 1).length,
    'done, but not taken': done.filter((record) => !isTaken(record)).length,
    'taken, but not done': records.filter(
      ({ id, state }) => ['refused', 'failed'].includes(state) && takenFor(id).length > 0,
    ).length,
    'taken, but not in the database': [...taken.keys()].filter((id) => !byId.has(id)).length,
    'accepted, but lost': [...accepted].filter((id) => !byId.has(id)).length,
    'answered otherwise than recorded': replies.filter(
      ({ withdrawId, status }) =>
        withdrawId !== undefined && (status === 200) !== (byId.get(withdrawId)?.state === 'done'),
    ).length,
    'deductions beyond the balance': journal.filter(({ refusal }) => refusal === 'not_enough').length,
    'negative balances': balances.filter((balance) => balance < 0).length,
    'currency taken less sum of done': total([...taken.values()].flat()) - total(done),
    'counted for the day less sum of done': (history.dayTotal ?? total(done)) - total(done),
    'events that do not follow each other': brokenChains(history, byId),
    'left open': records.filter(({ state }) => !FINAL.includes(state)).length,
  };
}

/** Counts broken chains: each event must begin where the previous ended, and the last must end in the record's state. */
function brokenChains({ events }: History, byId: ReadonlyMap<string, Record>): number {
  const last = new Map<string, string>();
  let broken = 0;
  for (const { withdraw_id: id, from_state, to_state } of events) {
    if (from_state !== (last.get(id) ?? null)) broken += 1;
    last.set(id, to_state);
  }
  for (const [id, state] of last) if (byId.get(id)?.state !== state) broken += 1;
  return broken;
}

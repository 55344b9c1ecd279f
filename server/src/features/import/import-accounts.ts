import type { OldAccounts, OldRow } from '../../integrations/old-accounts.ts';
import type { Checkpoint } from './checkpoint.ts';
import { type Candidate, reasons, type Unusable } from './clean.ts';
import type { Plan } from './columns.ts';
import { type Decide, describe, type Field, type Merge, mergeAccount } from './merge.ts';
import { type Conflict, conflictsOf, type Report, type ReportLine } from './report.ts';
import type { Seen } from './seen.ts';
import type { ImportStore, Known, PlayerWrites, State } from './store.ts';
import { increment, type Tally } from './summary.ts';
import { meantAsChinese } from './values.ts';

export interface ImportDeps {
  readonly source: OldAccounts;
  readonly plan: Plan;
  readonly clean: (row: OldRow) => Candidate | Unusable;
  readonly seen: Seen;
  readonly store: Pick<ImportStore, 'knownOf'> & {
    /** Returns which of the account keys must not be assigned again. */
    readonly erasedAmong: (keys: readonly string[]) => Promise<ReadonlySet<string>>;
    readonly writeAll: (writes: PlayerWrites) => Promise<boolean>;
  };
  readonly report: Pick<Report<ReportLine>, 'write'>;
  /** Receives the fields that both sides changed. */
  readonly conflicts: Pick<Report<Conflict>, 'write'>;
  /** Returns what an operator decided about an account, by its key. */
  readonly decisionsOf: (key: string) => Decide | undefined;
  /** Undefined in a dry run. */
  readonly checkpoint: Checkpoint | undefined;
  /** Start after this row. */
  readonly after: string | undefined;
  readonly apply: boolean;
  readonly batch: number;
  /** Checked between batches. */
  readonly stopping: () => boolean;
  /** Updated after each batch. */
  readonly tally: Tally;
}

interface Batch {
  readonly last: string;
  readonly read: number;
  readonly unusable: Unusable[];
  readonly candidates: Candidate[];
}

/** A row whose account exists already. */
interface Existing {
  readonly candidate: Candidate;
  readonly known: Known;
  readonly merge: Merge;
  /** Whether values of the old data were taken. */
  readonly isUpdated: boolean;
}

interface Settled extends Batch {
  readonly added: Candidate[];
  readonly existing: Existing[];
}

/** Upper bound of batches in flight: while the database works on one, the next is prepared and sent. */
const IN_FLIGHT = 2;
const MAX_ATTEMPTS = 10;

/**
 * Imports old accounts batch by batch: adds new ones, and takes what changed in the old data since the last import. Each batch
 * is one transaction that is made only if its rows are still as they were read, so the import can be repeated at any time.
 */
export async function importAccounts(deps: ImportDeps): Promise<'complete' | 'stopped'> {
  const { source, plan, after, batch, stopping, clean, seen } = deps;
  const inFlight: Promise<Settled>[] = [];
  // A row after the interruption whose name a finished row has is a duplicate, and not a change of that account.
  const remember = (finished: readonly OldRow[]) => {
    for (const cleaned of finished.map(clean))
      if (!('reason' in cleaned)) seen.add(cleaned.key, Number(cleaned.at));
  };
  const rows = source.rows({ columns: plan.sources, after, skipped: remember });

  let ended: 'complete' | 'stopped' = 'complete';
  for await (const group of batches(rows, batch)) {
    if (stopping()) {
      ended = 'stopped';
      break;
    }
    const settling = settle(partition(group, deps), deps);
    settling.catch(() => {}); // awaited in order below; an earlier failure may come first
    inFlight.push(settling);
    const oldest = inFlight.length < IN_FLIGHT ? undefined : inFlight.shift();
    if (oldest) await record(await oldest, deps);
  }
  for (const settling of inFlight) await record(await settling, deps);
  return ended;
}

async function* batches(groups: AsyncIterable<OldRow[]>, size: number): AsyncGenerator<OldRow[]> {
  let waiting: OldRow[] = [];
  for await (const group of groups) {
    waiting = waiting.length === 0 ? group : waiting.concat(group);
    let start = 0;
    for (; waiting.length - start >= size; start += size) yield waiting.slice(start, start + size);
    waiting = waiting.slice(start);
  }
  if (waiting.length > 0) yield waiting;
}

function partition(rows: readonly OldRow[], { clean, seen, source }: ImportDeps): Batch {
  const unusable: Unusable[] = [];
  const candidates: Candidate[] = [];
  for (const row of rows) {
    const cleaned = clean(row);
    if ('reason' in cleaned) {
      unusable.push(cleaned);
      continue;
    }
    const { at, account, key } = cleaned;
    const winner = seen.add(key, Number(at));
    if (winner === undefined) candidates.push(cleaned);
    else {
      // Places that are text are not stored, which saves memory with ten million rows.
      const detail = Number.isNaN(winner) ? {} : { detail: `${source.place} ${winner} was taken` };
      unusable.push({ at, account, reason: 'duplicate', ...detail });
    }
  }
  return { last: rows.at(-1)?.at ?? '', read: rows.length, unusable, candidates };
}

/** Writes what is new or changed in the old data. Reads again if others wrote meanwhile. */
async function settle(batch: Batch, { store, apply, decisionsOf }: ImportDeps): Promise<Settled> {
  const keys = batch.candidates.map(({ key }) => key);
  const tried = new Map<string, 'added' | 'updated'>();
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const known = await store.knownOf(keys);
    // Read these after the accounts, so that an account erased in between is found in one of the two.
    const erased = await store.erasedAmong(keys);
    const settled = settledBatch(batch, { known, erased, tried, decisionsOf });
    const writes = writesOf(settled, known);
    const isEmpty = writes.added.length + writes.changed.length === 0;
    if (!apply || isEmpty || (await store.writeAll(writes))) return settled;
    for (const { key } of settled.added) tried.set(key, 'added');
    for (const { candidate, isUpdated } of settled.existing)
      if (isUpdated) tried.set(candidate.key, 'updated');
  }
  throw new Error('another process is adding accounts at the same time; try again later');
}

interface Found extends Pick<ImportDeps, 'decisionsOf'> {
  readonly known: ReadonlyMap<string, Known>;
  readonly erased: ReadonlySet<string>;
  /** Accounts that an earlier attempt tried to write. */
  readonly tried: ReadonlyMap<string, 'added' | 'updated'>;
}

function settledBatch(batch: Batch, { known: byKey, erased, tried, decisionsOf }: Found): Settled {
  const added: Candidate[] = [];
  const unusable = [...batch.unusable];
  const existing: Existing[] = [];
  for (const candidate of batch.candidates) {
    const { at, account, key } = candidate;
    const known = byKey.get(key);
    if (known === undefined) {
      if (erased.has(key)) unusable.push({ at, account, reason: 'erased' });
      else added.push(candidate);
      continue;
    }
    const merge = mergeAccount(candidate, known, decisionsOf(key));
    // An account that was tried before and is equal now was written by our own unconfirmed commit.
    const done = merge.differences.length === 0 ? tried.get(key) : undefined;
    if (done === 'added') added.push(candidate);
    else existing.push({ candidate, known, merge, isUpdated: done === 'updated' || merge.take.length > 0 });
  }
  return { ...batch, added, existing, unusable };
}

function writesOf({ added, existing }: Settled, known: ReadonlyMap<string, Known>): PlayerWrites {
  return {
    added: added.filter(({ key }) => !known.has(key)),
    changed: existing.flatMap(({ candidate, known: before, merge: { take, marks } }) =>
      take.length === 0 && Object.keys(marks).length === 0
        ? []
        : [{ before, marks, take: Object.fromEntries(take.map((field) => takenOf(field, candidate))) }],
    ),
  };
}

/** Returns a field of the old data under its name in the state of an account. */
const takenOf = (field: Field, { hash, email, status }: State) =>
  ({ password: ['hash', hash], email: ['email', email], status: ['status', status] })[field];

async function record(done: Settled, { tally, report, conflicts, checkpoint }: ImportDeps): Promise<void> {
  tally.read += done.read;
  tally.imported += done.added.length;
  for (const { reason } of done.unusable) increment(tally.unusable, reason);
  for (const { lost } of done.added) for (const column of lost) increment(tally.lost, column);
  tally.undated += done.added.filter(({ undated }) => undated).length;
  for (const { isUpdated, merge, known } of done.existing) {
    if (isUpdated) tally.updated++;
    else if (merge.differences.length > 0) tally.kept++;
    else tally.unchanged++;
    if (merge.conflicts.length > 0) tally.conflicts++;
    if (known.hash === undefined) tally.incomparable++;
    for (const { field, side } of merge.differences) increment(tally.differing, `${field}_${side}`);
  }
  for (const { account } of done.candidates) {
    const meant = meantAsChinese(account);
    if (meant === undefined) continue;
    tally.misread.rows++;
    tally.misread.example ||= `${account} for ${meant}`;
  }
  await report.write(linesOf(done));
  await conflicts.write(
    done.existing.flatMap(({ candidate, known, merge }) => conflictsOf(candidate, known, merge)),
  );
  await checkpoint?.save({ at: done.last, tally });
}

function linesOf({ unusable, added, existing }: Settled): ReportLine[] {
  const skipped = unusable.map(({ at, account, reason, detail }) => ({
    at,
    account,
    outcome: 'skipped' as const,
    reason: detail === undefined ? reasons[reason] : `${reasons[reason]}: ${detail}`,
  }));
  const kept = existing.flatMap(({ candidate: { at, account }, merge: { differences, take } }) => {
    const left = differences.filter(({ field }) => !take.includes(field));
    if (left.length === 0) return [];
    return [{ at, account, outcome: 'kept' as const, reason: left.map(describe).join('; ') }];
  });
  const changed = added
    .filter(({ lost }) => lost.length > 0)
    .map(({ at, account, lost }) => ({
      at,
      account,
      outcome: 'changed' as const,
      reason: `unreadable and left out: ${lost.join(', ')}`,
    }));
  return [...skipped, ...changed, ...kept];
}

import type { OldAccounts, OldRow } from '../../integrations/old-accounts.ts';
import type { Checkpoint } from './checkpoint.ts';
import { type Candidate, reasons, type Unusable } from './clean.ts';
import { type Difference, describe, differences, type Plan } from './columns.ts';
import type { Seen } from './seen.ts';
import type { ImportStore, Known, PlayerValues } from './store.ts';
import { increment, type Report, type ReportLine, type Tally } from './summary.ts';
import { meantAsChinese } from './values.ts';

export interface ImportParts {
  readonly source: OldAccounts;
  readonly plan: Plan;
  readonly clean: (row: OldRow) => Candidate | Unusable;
  readonly seen: Seen;
  readonly store: Pick<ImportStore, 'knownOf'> & {
    /** Returns those of the account keys that must not be assigned again. */
    readonly erasedAmong: (keys: readonly string[]) => Promise<ReadonlySet<string>>;
    readonly addAll: (players: readonly PlayerValues[]) => Promise<boolean>;
  };
  readonly report: Pick<Report, 'write'>;
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

interface Settled extends Batch {
  readonly imported: Candidate[];
  readonly alreadyThere: number;
  readonly differing: { readonly candidate: Candidate; readonly differences: readonly Difference[] }[];
}

/** Upper bound of batches in flight: while the database works on one, the next is prepared and sent. */
const IN_FLIGHT = 2;
const MAX_ATTEMPTS = 10;

/** Imports old accounts batch by batch. Existing accounts are never changed, so it can be repeated safely. */
export async function importAccounts(parts: ImportParts): Promise<'complete' | 'stopped'> {
  const { source, plan, after, batch, stopping } = parts;
  const inFlight: Promise<Settled>[] = [];
  const rows = source.rows({ columns: plan.sources, after });

  let ended: 'complete' | 'stopped' = 'complete';
  for await (const group of batches(rows, batch)) {
    if (stopping()) {
      ended = 'stopped';
      break;
    }
    const settling = settle(partition(group, parts), parts);
    settling.catch(() => {}); // awaited in order below; an earlier failure may come first
    inFlight.push(settling);
    const oldest = inFlight.length < IN_FLIGHT ? undefined : inFlight.shift();
    if (oldest) await record(await oldest, parts);
  }
  for (const settling of inFlight) await record(await settling, parts);
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

function partition(rows: readonly OldRow[], { clean, seen, source }: ImportParts): Batch {
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

/** Adds the accounts that do not exist yet. Reads again if others were added meanwhile. */
async function settle(batch: Batch, { store, apply }: ImportParts): Promise<Settled> {
  const keys = batch.candidates.map(({ key }) => key);
  const tried = new Set<string>();
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const known = await store.knownOf(keys);
    // Read these after the accounts: one that is erased in between is then found in either.
    const erased = await store.erasedAmong(keys);
    const fresh = batch.candidates.filter(({ key }) => !known.has(key) && !erased.has(key));
    if (!apply || fresh.length === 0 || (await store.addAll(fresh)))
      return settledBatch(batch, { known, erased, tried });
    for (const { key } of fresh) tried.add(key);
  }
  throw new Error('another process is adding accounts at the same time; try again later');
}

interface Found {
  readonly known: ReadonlyMap<string, Known>;
  readonly erased: ReadonlySet<string>;
  readonly tried: ReadonlySet<string>;
}

function settledBatch(batch: Batch, { known, erased, tried }: Found): Settled {
  const imported: Candidate[] = [];
  const unusable = [...batch.unusable];
  const differing: Settled['differing'] = [];
  let alreadyThere = 0;
  for (const candidate of batch.candidates) {
    const stored = known.get(candidate.key);
    const { at, account, key, hash } = candidate;
    if (stored === undefined && erased.has(key)) {
      unusable.push({ at, account, reason: 'erased' });
      continue;
    }
    // An account that was tried before and exists now was added by our own unconfirmed commit.
    if (stored === undefined || (tried.has(key) && stored.hash === hash)) {
      imported.push(candidate);
      continue;
    }
    const found = differences(candidate, stored);
    if (found.length > 0) differing.push({ candidate, differences: found });
    if (stored.hash !== undefined && stored.hash !== hash)
      unusable.push({ at, account, reason: 'other_hash', detail: found.map(describe).join('; ') });
    else alreadyThere++;
  }
  return { ...batch, imported, alreadyThere, unusable, differing };
}

async function record(done: Settled, { tally, report, checkpoint }: ImportParts): Promise<void> {
  tally.read += done.read;
  tally.imported += done.imported.length;
  tally.alreadyThere += done.alreadyThere;
  for (const { reason } of done.unusable) increment(tally.unusable, reason);
  for (const { lost } of done.imported) for (const column of lost) increment(tally.lost, column);
  tally.undated += done.imported.filter(({ undated }) => undated).length;
  for (const { differences: found } of done.differing)
    for (const { field, side } of found) increment(tally.differing, `${field}_${side}`);
  for (const { account } of done.candidates) {
    const meant = meantAsChinese(account);
    if (meant === undefined) continue;
    tally.misread.rows++;
    tally.misread.example ||= `${account} for ${meant}`;
  }
  await report.write(linesOf(done));
  await checkpoint?.save({ at: done.last, tally });
}

function linesOf({ unusable, imported, differing }: Settled): ReportLine[] {
  const skipped = unusable.map(({ at, account, reason, detail }) => ({
    at,
    account,
    outcome: 'skipped' as const,
    reason: detail === undefined ? reasons[reason] : `${reasons[reason]}: ${detail}`,
  }));
  // Those with another password are listed above.
  const differ = differing
    .filter(({ differences: found }) => found.every(({ field }) => field !== 'password'))
    .map(({ candidate: { at, account }, differences: found }) => ({
      at,
      account,
      outcome: 'differs' as const,
      reason: found.map(describe).join('; '),
    }));
  const changed = imported
    .filter(({ lost }) => lost.length > 0)
    .map(({ at, account, lost }) => ({
      at,
      account,
      outcome: 'changed' as const,
      reason: `unreadable and left out: ${lost.join(', ')}`,
    }));
  return [...skipped, ...changed, ...differ];
}

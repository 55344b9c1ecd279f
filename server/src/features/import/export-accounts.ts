import type { OldAccounts, OldRow } from '../../integrations/old-accounts.ts';
import type { OldAccountsWriter, OldValue } from '../../integrations/old-accounts-writer.ts';
import { accountKey } from '../../security/account-key.ts';
import { type Candidate, reasons, type Unusable } from './clean.ts';
import type { Plan } from './columns.ts';
import type { ExportedPlayer, ExportStore } from './export-store.ts';
import { type Decide, describe, type Field, mergeAccount } from './merge.ts';
import type { OldFormsOf } from './old-values.ts';
import { type Conflict, conflictsOf, type Report, type ReportLine } from './report.ts';
import type { Seen } from './seen.ts';
import { type Column, fingerprint, type ImportStore, type Known, type Marks } from './store.ts';
import { increment } from './summary.ts';

/** What the old table cannot store, as texts for the operator. */
export const limits = {
  two_factor: 'with two-factor login: there the password alone lets in',
  argon2id: 'with an argon2id hash only: they keep the old password there, and new ones are not added',
  sealed: 'with a hash sealed by a key that the settings do not have: they are not written',
  no_password: 'without a password, made by a forum login: they are not added',
  ban: 'banned, and no column for it is mapped (see --map status=…): they can log in there',
  ban_end: 'with a ban that ends: there it does not',
  email: 'with a new e-mail address, and no column for it is mapped',
  value: 'with a value that is too long for the old column or not in its encoding: they are not written',
} as const;
export type Limit = keyof typeof limits;

export const emptyExport = () => ({
  /** Rows of the old table. */
  read: 0,
  added: 0,
  updated: 0,
  /** Rows left as they are, because the old data changed or both sides did. */
  kept: 0,
  /** Accounts that cannot be written. */
  refused: 0,
  conflicts: 0,
  limits: {} as Partial<Record<Limit, number>>,
});

export type ExportTally = ReturnType<typeof emptyExport>;

export interface ExportDeps {
  readonly source: OldAccounts;
  readonly writer: OldAccountsWriter;
  readonly plan: Plan;
  readonly forms: OldFormsOf;
  /** Values of further columns, for new rows. */
  readonly constants: Readonly<Record<string, string>>;
  readonly clean: (row: OldRow) => Candidate | Unusable;
  readonly seen: Seen;
  readonly store: Pick<ImportStore, 'knownOf' | 'writeAll'> & ExportStore;
  readonly report: Pick<Report<ReportLine>, 'write'>;
  readonly conflicts: Pick<Report<Conflict>, 'write'>;
  readonly decisionsOf: (key: string) => Decide | undefined;
  /** Called before the first write. */
  readonly beforeWriting: () => Promise<unknown>;
  readonly apply: boolean;
  readonly stopping: () => boolean;
  readonly tally: ExportTally;
}

const BATCH = 500;
const MARK: Record<Field, keyof Marks> = {
  password: 'imported_hash',
  email: 'imported_email',
  status: 'imported_status',
};
const COLUMN: Record<Field, Column> = { password: 'password_hash', email: 'email', status: 'status' };

/**
 * Writes accounts made or changed here into the old table. The old row is written first and the marks here after it: if the
 * process dies in between, both sides agree, and the next run or import only sets the marks.
 */
export async function exportAccounts(deps: ExportDeps): Promise<'complete' | 'stopped'> {
  for await (const rows of deps.source.rows({ columns: deps.plan.sources })) {
    if (deps.stopping()) return 'stopped';
    await exportChanged(rows, deps);
  }
  for (let last = 0; ; ) {
    if (deps.stopping()) return 'stopped';
    const players = await deps.store.playersAfter(last, BATCH);
    await exportNew(players, deps);
    if (players.length < BATCH) return 'complete';
    last = players.at(-1)?.id ?? last;
  }
}

/** Updates the rows whose accounts changed here. */
async function exportChanged(rows: readonly OldRow[], deps: ExportDeps): Promise<void> {
  const { clean, seen, store, forms, tally, report, conflicts, decisionsOf } = deps;
  tally.read += rows.length;
  const candidates: { candidate: Candidate; fields: readonly string[] }[] = [];
  for (const row of rows) {
    forms.learn(row.fields ?? []);
    const cleaned = clean(row);
    const isFirst = seen.add(accountKey(cleaned.account), Number(row.at)) === undefined;
    if (isFirst && !('reason' in cleaned)) candidates.push({ candidate: cleaned, fields: row.fields ?? [] });
  }
  const known = await store.knownOf(candidates.map(({ candidate }) => candidate.key));
  for (const { candidate, fields } of candidates) {
    const here = known.get(candidate.key);
    if (here === undefined) continue;
    if (here.hash === undefined && here.stored.password_hash !== '') increment(tally.limits, 'sealed');
    const merge = mergeAccount(candidate, here, decisionsOf(candidate.key));
    const outcome = await giveFields({ candidate, fields, here, give: merge.give }, deps);
    const left = merge.differences.filter(
      ({ field }) => !merge.give.includes(field) || outcome === 'kept' || outcome === 'refused',
    );
    if (outcome) tally[outcome]++;
    else if (left.length > 0) tally.kept++;
    if (merge.conflicts.length > 0) tally.conflicts++;
    if (left.length > 0)
      await report.write([
        {
          at: candidate.at,
          account: candidate.account,
          outcome: 'kept',
          reason: left.map(describe).join('; '),
        },
      ]);
    await conflicts.write(conflictsOf(candidate, here, merge));
  }
}

interface Given {
  readonly candidate: Candidate;
  /** The old row, as read. */
  readonly fields: readonly string[];
  readonly here: Known;
  readonly give: readonly Field[];
}

/** Writes the fields to the old row, and then the marks here. Returns undefined if there is nothing to write. */
async function giveFields(
  { candidate, fields, here, give }: Given,
  { plan, forms, writer, store, apply, tally, beforeWriting }: ExportDeps,
): Promise<'updated' | 'kept' | 'refused' | undefined> {
  const own = { password: here.hash ?? '', email: here.email, status: here.status };
  if (give.includes('password') && own.password === '') increment(tally.limits, 'no_password');
  const written = give.filter((field) => field !== 'password' || own.password !== '');
  if (written.length === 0) return undefined;
  const values: Record<string, OldValue> = {};
  const expected: Record<string, string> = {};
  const marks: Partial<Record<keyof Marks, string>> = {};
  for (const field of written) {
    const index = plan.columns.indexOf(COLUMN[field]);
    const source = plan.sources[index] ?? '';
    expected[source] = fields[index] ?? '';
    values[source] =
      field === 'password'
        ? forms.hashLike(own.password, fields[index])
        : forms.valueOf(COLUMN[field], own[field]);
    marks[MARK[field]] = field === 'status' ? own.status : fingerprint(own[field]);
  }
  if (await hasUnfit(values, writer)) {
    increment(tally.limits, 'value');
    return 'refused';
  }
  if (!apply) return 'updated';
  await beforeWriting();
  if (!(await writer.update({ at: candidate.at, values, expected }))) return 'kept';
  await store.writeAll({ added: [], changed: [{ before: here, take: {}, marks }] });
  return 'updated';
}

/** Adds the accounts that were made here, and counts what the old table cannot store. */
async function exportNew(players: readonly ExportedPlayer[], deps: ExportDeps): Promise<void> {
  const { seen, store, forms, writer, plan, constants, apply, tally, report, beforeWriting } = deps;
  const missing = players.filter((player) => !seen.has(player.account_key));
  const known = await store.knownOf(missing.map(({ account_key }) => account_key));
  for (const player of players) countLimits(player, forms, tally);
  const rows: { player: ExportedPlayer; here: Known; values: Record<string, OldValue> }[] = [];
  const refuse = async ({ id, account }: ExportedPlayer, reason: string) => {
    tally.refused++;
    await report.write([{ at: `player ${id}`, account, outcome: 'skipped', reason }]);
  };
  for (const player of missing) {
    const here = known.get(player.account_key);
    if (here === undefined) continue;
    if (player.imported_hash !== null || player.imported_email !== null) {
      await refuse(player, 'the account was imported, and its row is no longer in the old table');
      continue;
    }
    if (!here.hash) {
      const limit =
        here.hash === '' ? 'no_password' : player.password_argon2 === null ? 'sealed' : 'argon2id';
      if (limit !== 'argon2id') increment(tally.limits, limit);
      await refuse(player, limits[limit]);
      continue;
    }
    const values: Record<string, OldValue> = { ...constants };
    plan.columns.forEach((column, index) => {
      const source = plan.sources[index] ?? '';
      values[source] =
        column === 'password_hash' ? forms.hashLike(here.hash ?? '') : forms.valueOf(column, player[column]);
    });
    if (await hasUnfit(values, writer)) {
      increment(tally.limits, 'value');
      await refuse(player, limits.value);
    } else rows.push({ player, here, values });
  }
  const column = forms.targetOf('account')?.name ?? '';
  const names = rows.map(({ player }) => player.account);
  const existing = await writer.existing(column, names);
  const fresh: typeof rows = [];
  for (const row of rows) {
    const { account, account_key } = row.player;
    const other = existing.get(account);
    if (other === undefined) fresh.push(row);
    // The old service registered the name after it was read.
    else if (accountKey(other) === account_key) tally.kept++;
    // Names that differ here, such as tuan and tuấn, can be one name there.
    else await refuse(row.player, `${reasons.duplicate}: ${other}`);
  }
  if (apply && fresh.length > 0) {
    await beforeWriting();
    await writer.insert(fresh.map(({ values }) => values));
    await store.writeAll({ added: [], changed: fresh.map(({ here }) => markAsAgreed(here)) });
  }
  tally.added += fresh.length;
}

const markAsAgreed = (here: Known) => ({
  before: here,
  take: {},
  marks: {
    imported_hash: fingerprint(here.hash ?? ''),
    imported_email: fingerprint(here.email),
    imported_status: here.status,
  },
});

function countLimits(player: ExportedPlayer, forms: OldFormsOf, { limits: counts }: ExportTally): void {
  if (player.two_factor !== 0) increment(counts, 'two_factor');
  if (player.password_hash === '' && player.password_argon2 !== null) increment(counts, 'argon2id');
  const isBanned = player.status === 'banned';
  if (isBanned && forms.targetOf('status') === undefined) increment(counts, 'ban');
  else if (isBanned && player.banned_until !== null) increment(counts, 'ban_end');
  const isNewEmail = player.imported_email !== null && player.imported_email !== fingerprint(player.email);
  if (isNewEmail && forms.targetOf('email') === undefined) increment(counts, 'email');
}

/** Reports whether a column of the old table cannot store its value. */
async function hasUnfit(
  values: Readonly<Record<string, OldValue>>,
  writer: OldAccountsWriter,
): Promise<boolean> {
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== 'string') continue;
    const maxLength = writer.columns.find((column) => column.name === name)?.maxLength ?? Infinity;
    if ([...value].length > maxLength || (await writer.unfit(name, [value])).size > 0) return true;
  }
  return false;
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HashChange } from '../../../db/password-hash.ts';
import type { Trx } from '../../../db/transaction.ts';
import type { Actor, Why } from '../../audit/entry.ts';
import type { AuditStore } from '../../audit/store.ts';
import type { SealingStore, StoredHash, StoredSecret } from './store.ts';

export interface RewriteDeps {
  readonly store: SealingStore;
  readonly audit: Pick<AuditStore, 'transaction'>;
}

/** Returns the target form of each value, or undefined if no key opens it. */
export interface Forms {
  readonly action: 'player.seal' | 'player.unseal';
  /** The state of the hashes for the audit record. */
  readonly state: 'sealed' | 'plain' | 'resealed';
  /** Absent if no hash needs to be read. */
  readonly hash?: (row: StoredHash) => string | undefined;
  readonly secret: (row: Pick<StoredSecret, 'context' | 'stored'>) => string | undefined;
}

export interface RewriteTally {
  read: number;
  changed: number;
  /** Sealed with a key that is not configured; left unchanged. */
  unreadable: number;
  /** The part that has been read, from 0 to 1. */
  fraction: number;
}

export interface RewriteRun extends Why {
  /** Checked between pages. */
  readonly stopping: () => boolean;
  /** Updated after each page. */
  readonly tally: RewriteTally;
}

/**
 * Rewrites every sealed value in another form. Finished pages stay: a stopped run is started again and skips what needs no
 * change. It is recorded with its first change, because a row at the end would be missing if it was killed.
 */
export function rewrite({ store, audit }: RewriteDeps, forms: Forms) {
  return async (actor: Actor, run: RewriteRun): Promise<'complete' | 'stopped'> => {
    const { action, state } = forms;
    let recorded = false;
    async function change(work: (trx: Trx) => Promise<unknown>): Promise<void> {
      await audit.transaction(actor, async (trx, append) => {
        await work(trx);
        if (!recorded) await append({ action, reason: run.reason, after: { hashes: state } });
      });
      recorded = true;
    }
    if (forms.hash) {
      const ended = await rewriteHashes(store, forms.hash, run, change);
      if (ended === 'stopped' || (await rewriteArgon2(store, forms, run, change)) === 'stopped')
        return 'stopped';
    }
    await rewriteSecrets(store, forms, run, change);
    return 'complete';
  };
}

type Change = (work: (trx: Trx) => Promise<unknown>) => Promise<void>;

/** Rewrites the hashes. While the database writes one page, the next is read and encrypted. */
async function rewriteHashes(
  store: SealingStore,
  formOf: NonNullable<Forms['hash']>,
  { stopping, tally }: RewriteRun,
  change: Change,
): Promise<'complete' | 'stopped'> {
  const lastId = await store.lastId();
  let writing: Promise<void> = Promise.resolve();
  for (let after = 0; ; ) {
    const rows = await store.hashesAfter(after);
    const changes = rows.flatMap((row) => changeOf(row, formOf(row), tally));
    await writing;
    const last = rows.at(-1);
    if (last === undefined) return 'complete';
    if (stopping()) return 'stopped';
    writing = changes.length === 0 ? Promise.resolve() : change((trx) => store.writeHashes(trx, changes));
    writing.catch(() => {}); // awaited above, after the next page is read
    after = last.id;
    tally.read += rows.length;
    tally.changed += changes.length;
    tally.fraction = Math.min(1, after / lastId);
  }
}

/** Rewrites the argon2id hashes. Their players have been counted as read. */
async function rewriteArgon2(
  store: SealingStore,
  forms: Forms,
  { stopping, tally }: RewriteRun,
  change: Change,
): Promise<'complete' | 'stopped'> {
  const formOf = ({ id, stored }: StoredHash) => forms.secret({ context: { table: 'player', id }, stored });
  for (let after = 0; ; ) {
    const rows = await store.argon2After(after);
    const last = rows.at(-1);
    if (last === undefined) return 'complete';
    if (stopping()) return 'stopped';
    const changes = rows.flatMap((row) => changeOf(row, formOf(row), tally));
    if (changes.length > 0) await change((trx) => store.writeArgon2(trx, changes));
    tally.changed += changes.length;
    after = last.id;
  }
}

function changeOf(row: StoredHash, to: string | undefined, tally: RewriteTally): HashChange[] {
  if (to === undefined) tally.unreadable++;
  return to === undefined || to === row.stored ? [] : [{ id: row.id, from: row.stored, to }];
}

async function rewriteSecrets(
  store: SealingStore,
  forms: Forms,
  { tally }: RewriteRun,
  change: Change,
): Promise<void> {
  for await (const row of store.secrets()) {
    const to = forms.secret(row);
    if (to === undefined) tally.unreadable++;
    if (to === undefined || to === row.stored) continue;
    await change((trx) => row.replace(trx, to));
    tally.changed++;
  }
}

/** The sealed values outside the player table, and those that need an operator. */
export interface SealedSecrets {
  readonly total: number;
  /** Sealed with a key that is not the first. */
  readonly outdated: number;
  /** Sealed with no known key, by kind. */
  readonly unreadable: ReadonlyMap<string, number>;
}

/** Opening this many takes about a millisecond. */
const ROWS_PER_TURN = 200;

/** Counts the secrets that no key opens, and those that an older key sealed. Yields to requests. */
export async function countSecrets(store: SealingStore, { secret }: Forms): Promise<SealedSecrets> {
  let [total, outdated] = [0, 0];
  const unreadable = new Map<string, number>();
  for await (const row of store.secrets()) {
    const kind = kindOf(row.context);
    if (kind === undefined) continue;
    if (++total % ROWS_PER_TURN === 0) await nextTurn();
    const to = secret(row);
    if (to === undefined) unreadable.set(kind, (unreadable.get(kind) ?? 0) + 1);
    else if (to !== row.stored) outdated++;
  }
  return { total, outdated, unreadable };
}

function kindOf(context: StoredSecret['context']): string | undefined {
  if (context.table === 'two_factor') return `two-factor secrets of ${context.kind}s`;
  if (context.table === 'zone_key') return 'zone keys';
  if (context.table === 'webhook') return 'webhook secrets';
  return context.table === 'operator' ? 'passwords of operators' : undefined;
}

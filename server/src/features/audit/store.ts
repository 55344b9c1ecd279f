import { randomUUID } from 'node:crypto';
import type { AuditAction } from '@gatehouse/contract/admin';
import type { Selectable } from 'kysely';
import { sweepOlder } from '../../db/delete-in-batches.ts';
import { isPast } from '../../db/newest-first.ts';
import type { Db } from '../../db/open.ts';
import { hasRow } from '../../db/row-count.ts';
import type { Database } from '../../db/schema.ts';
import { type Trx, verifiedTransaction } from '../../db/transaction.ts';
import { changedOne } from '../../db/unchanged.ts';
import { Refusal } from '../../refusal.ts';
import type { Actor, Append, AuditEntry, AuditRecord } from './entry.ts';

export interface AuditFilter {
  readonly actor?: string | undefined;
  readonly action?: AuditAction | undefined;
  readonly subjectKind?: string | undefined;
  readonly subjectId?: string | undefined;
  readonly serverId?: number | undefined;
  /** Only rows of these zones. */
  readonly zones?: readonly number[] | null | undefined;
  /** From this time, inclusive, to that one, exclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly limit: number;
}

/** The last record of the previous page. */
export interface AuditCursor {
  readonly at: number;
  readonly id: string;
}

const MAX_ACTOR_LENGTH = 64;
const ACCESS_IS_NEW_MS = 24 * 3_600_000;

/** Writes the audit row of a change in its transaction. Returns the row's id. */
export async function append(trx: Trx, entry: AuditEntry): Promise<string> {
  const { id = randomUUID(), actor, action, subject, serverId, reason, before, after } = entry;
  await trx
    .insertInto('audit')
    .values({
      id,
      actor: actor.name.slice(0, MAX_ACTOR_LENGTH),
      via: actor.via,
      action,
      subject_kind: subject?.kind ?? null,
      subject_id: subject === undefined ? null : String(subject.id),
      server_id: serverId ?? null,
      reason: reason ?? null,
      before: before === undefined ? null : JSON.stringify(before),
      after: after === undefined ? null : JSON.stringify(after),
      ip: actor.ip ?? null,
      request_id: actor.requestId ?? null,
    })
    .execute();
  return id;
}

export function auditStore(db: Db) {
  const { kysely, now } = db;

  const has = (id: string): Promise<boolean> =>
    kysely.selectFrom('audit').select('id').where('id', '=', id).$call(hasRow);

  /** An update, because Galera detects conflicts between nodes only for writes. */
  async function holdCredential(trx: Trx, { credential }: Actor): Promise<void> {
    if (credential === undefined) return;
    const isCurrent = await ('session' in credential
      ? trx
          .updateTable('operator_session')
          .set({ last_seen_at: now })
          .where('token_hash', '=', credential.session)
          .$call(changedOne)
      : trx
          .updateTable('operator_key')
          .set({ last_used_at: now })
          .where('key_hash', '=', credential.key)
          .$call(changedOne));
    if (!isCurrent) throw new Refusal('invalid_token', { variant: 'operator' });
  }

  return {
    has,

    /**
     * Runs a change and writes its row, both or neither. Refuses a change whose session or key has ended since the request was
     * authenticated, and keeps it from ending before the commit. The row's id is generated before the write: if COMMIT was not
     * confirmed, the row's presence shows that the change took effect.
     */
    async transaction<T>(actor: Actor, work: (trx: Trx, append: Append) => Promise<T>): Promise<T> {
      let attempt: { id: string | undefined; result?: T } = { id: undefined };
      await verifiedTransaction(db, {
        async work(trx) {
          attempt = { id: undefined };
          await holdCredential(trx, actor);
          attempt.result = await work(trx, async (entry) => {
            attempt.id = await append(trx, { ...entry, actor });
            return attempt.id;
          });
        },
        wasApplied: async () => attempt.id !== undefined && has(attempt.id),
      });
      return attempt.result as T;
    },

    /** Returns who recently invited an operator, enabled them or changed their access. */
    accessGiven: (trx: Trx, operator: string): Promise<{ name: string; via: Actor['via']; at: number }[]> =>
      trx
        .selectFrom('audit')
        .select(({ ref }) => ['actor as name', ref('via').$castTo<Actor['via']>().as('via'), 'at'])
        .where('subject_id', '=', operator)
        .where(({ eb }) => eb('at', '>', eb(db.now, '-', ACCESS_IS_NEW_MS)))
        .where('subject_kind', '=', 'operator')
        .where('via', 'in', ['console', 'cli'])
        .where('action', 'in', ['operator.add', 'operator.invite', 'operator.set', 'operator.enable'])
        .execute(),

    /** Records that a list was exported as a file, with its filter. */
    recordExport: (actor: Actor, list: string, filter: object): Promise<string> =>
      db.transaction((trx) =>
        append(trx, { actor, action: 'export', subject: { kind: 'list', id: list }, after: filter }),
      ),

    /** Returns one page, newest first, after the cursor. */
    async list(filter: AuditFilter, cursor?: AuditCursor): Promise<AuditRecord[]> {
      const query = matching(filter, cursor).orderBy('at', 'desc').orderBy('id', 'desc');
      return (await query.limit(filter.limit).execute()).map(toRecord);
    },

    deleteOlderThan: sweepOlder(db, 'audit', ['id'], 'at'),
  };

  function matching(filter: AuditFilter, cursor: AuditCursor | undefined) {
    const { actor, action, subjectKind, subjectId, serverId, zones, from, to } = filter;
    let query = kysely.selectFrom('audit').selectAll();
    if (actor !== undefined) query = query.where('actor', '=', actor);
    if (action !== undefined) query = query.where('action', '=', action);
    if (subjectKind !== undefined) query = query.where('subject_kind', '=', subjectKind);
    if (subjectId !== undefined) query = query.where('subject_id', '=', subjectId);
    if (serverId !== undefined) query = query.where('server_id', '=', serverId);
    if (zones) query = query.where('server_id', 'in', [...zones]);
    if (from !== undefined) query = query.where('at', '>=', from);
    if (to !== undefined) query = query.where('at', '<', to);
    return cursor ? query.where(isPast([cursor.at, cursor.id], 'desc', { at: 'at' })) : query;
  }
}

export type AuditStore = ReturnType<typeof auditStore>;

const toRecord = (row: Selectable<Database['audit']>): AuditRecord => ({
  ...row,
  via: row.via as Actor['via'],
  action: row.action as AuditAction,
  before: row.before === null ? null : JSON.parse(row.before),
  after: row.after === null ? null : JSON.parse(row.after),
});

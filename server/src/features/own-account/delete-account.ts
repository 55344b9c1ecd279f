import type { OwnAccount } from '@gatehouse/contract/own-account';
import type { Enqueue } from '../../db/outbox.ts';
import type { Trx } from '../../db/transaction.ts';
import type { Log } from '../../logging/log.ts';
import { Refusal, refuseField } from '../../refusal.ts';
import { type Job, type Lease, startJob } from '../../runtime/job.ts';
import { readableTime, timeText } from '../../runtime/time.ts';
import type { ErasedNameStore } from '../account/registration-store.ts';
import { judgeCode, wrongCode } from '../account/second-factor.ts';
import { cancelDeletion } from '../account/session.ts';
import type { ProvenCode } from '../two-factor/two-factor.ts';
import type { ErasedRecordsStore } from './erased-records-store.ts';
import type { ErasureStore, Traces } from './erasure-store.ts';
import { redactAudit, spellings } from './export-account.ts';
import { type OwnAccountDeps, type Owner, refOf, showAccount } from './owner.ts';

const DAY_MS = 24 * 3600 * 1000;

/** Schedules the erasure of the account. Repeating the request changes nothing; a login before then cancels it. */
export function deleteAccount(deps: OwnAccountDeps) {
  const { own, requirePassword, useCode, settings, notifyPlayer, recordEvent } = deps;
  const judge = judgeCode(deps);

  async function deletionOf(playerId: number): Promise<number | null | undefined> {
    return (await own.details(playerId))?.deletionAt;
  }

  async function proveSecondFactor(owner: Owner, code: string | undefined): Promise<ProvenCode | undefined> {
    const { playerId, address, userAgent, twoFactor } = owner;
    if (!twoFactor) return undefined;
    if (code === undefined) throw new Refusal('second_factor_required', { variant: 'code' });
    return judge({ playerId, code, address, userAgent }, async (proven) => proven);
  }

  return async (
    owner: Owner,
    form: { readonly password?: string; readonly code: string; readonly second_factor?: string },
  ): Promise<{ deletion_at: string }> => {
    const { playerId, address, userAgent, language } = owner;
    await requirePassword(owner, { field: 'password', password: form.password });
    const secondFactor = await proveSecondFactor(owner, form.second_factor);
    const email = (await own.details(playerId))?.email;
    // Without an address no code can have been sent.
    if (!email) throw refuseField('invalid_code', 'code');
    const { account, time_zone } = settings.current;
    await useCode({ email, code: form.code, purpose: 'delete', address }, async () => ({
      async work(trx) {
        if (secondFactor && !(await secondFactor.use(trx))) throw wrongCode();
        if (!(await own.scheduleDeletion(trx, refOf(owner), account.deletion_days * DAY_MS)))
          throw new Refusal('invalid_token');
        await recordEvent(trx, { playerId, kind: 'deletion', address, userAgent });
      },
      wasApplied: async () => (await deletionOf(playerId)) != null,
    }));
    const at = await deletionOf(playerId);
    if (at == null) throw new Refusal('invalid_token');
    const notice = { kind: 'deletion', deletionAt: readableTime(time_zone, at) } as const;
    notifyPlayer({ playerId, notice, address, language });
    return { deletion_at: timeText(at) };
  };
}

/** Cancels the deletion without a new login. */
export function keepAccount(deps: OwnAccountDeps) {
  const show = showAccount(deps);
  return async (owner: Owner): Promise<OwnAccount> => {
    const account = await show(owner.playerId);
    if (account.deletion_at === null) return account;
    if (!(await cancelDeletion(deps, owner.playerId, owner))) throw new Refusal('invalid_token');
    return show(owner.playerId);
  };
}

const INTERVAL_MS = 5000;
const BATCH_SIZE = 50;
/** Longer than the delay of writing a login, even on an instance that was cut off. */
const LATE_LOGINS_MS = 24 * 3600 * 1000;

export interface EraseJobOptions extends EraseDeps {
  readonly lease: Lease;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly succeeded?: () => void;
}

/** Erases accounts that are due, on one instance at a time. */
export function startEraseJob({ lease, log, succeeded, ...deps }: EraseJobOptions): Job {
  const { erasure, records } = deps;
  const erase = eraseAccount(deps);

  async function eraseOne(id: number): Promise<void> {
    try {
      if (await erase(id)) log.info({ player_id: id }, 'an account was erased at its owner’s request');
    } catch (error) {
      log.warn({ err: error, player_id: id }, 'an account could not be erased; retrying');
    }
  }

  return startJob({
    lease,
    intervalMs: INTERVAL_MS,
    succeeded,
    async work(mayGoOn) {
      for (const id of await erasure.due(BATCH_SIZE)) {
        if (!(await mayGoOn())) return;
        await eraseOne(id);
      }
      const lately = await erasure.erasedWithin(LATE_LOGINS_MS);
      while ((await mayGoOn()) && (await records.removeLogins(lately)));
    },
    failed: (error) => log.warn({ err: error }, 'accounts could not be erased; retrying'),
  });
}

export interface EraseDeps {
  readonly erasure: ErasureStore;
  readonly records: ErasedRecordsStore;
  readonly erasedNames: Pick<ErasedNameStore, 'add'>;
  readonly enqueue: Enqueue;
  readonly transaction: <T>(work: (trx: Trx) => Promise<T>) => Promise<T>;
}

/**
 * Erases an account that is due: first all credentials, then the long lists, and the name last, because the lists are found by
 * it. Every step is idempotent, so an erasure interrupted by a crash continues later on any instance.
 */
export function eraseAccount({ erasure, records, erasedNames, enqueue, transaction }: EraseDeps) {
  const begin = (id: number) =>
    transaction(async (trx) => {
      const traces = await erasure.traces(trx, id);
      if (!traces || !(await erasure.begin(trx, traces))) return;
      await redact(trx, traces);
      await records.removeRecords(trx, traces);
    });

  async function redact(trx: Trx, traces: Traces): Promise<void> {
    for (const { id, ...row } of await records.auditRows(trx, traces.id)) {
      const redacted = redactAudit(traces, row);
      if (redacted) await records.rewriteAudit(trx, id, redacted);
    }
  }

  /** Redacts exports before the main transaction, which would otherwise read every export that operators have ever made. */
  async function redactExports(playerId: number): Promise<void> {
    const traces = await transaction((trx) => erasure.traces(trx, playerId));
    if (!traces) return;
    for await (const { id, at: _, ...row } of records.exportRows()) {
      const redacted = redactAudit(traces, row);
      if (redacted) await transaction((trx) => records.rewriteAudit(trx, id, redacted));
    }
  }

  const finish = (id: number, account: string) =>
    transaction(async (trx) => {
      if (!(await erasure.finish(trx, id))) return false;
      await erasedNames.add(trx, account);
      // Remove bindings that a game server has added meanwhile.
      await records.removeRecords(trx, { id, email: '' });
      await enqueue(trx, { type: 'player.deleted', data: { player_id: id } });
      return true;
    });

  return async (id: number): Promise<boolean> => {
    await redactExports(id);
    await begin(id);
    const left = await erasure.remaining(id);
    if (left === undefined) return false;
    while (await records.removeLogins([id]));
    while (await records.removeChat(spellings(left.account)));
    return finish(id, left.account);
  };
}

import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BodyOf, routes, WithdrawOutcome } from '@gatehouse/contract';
import { Refusal, refuseField } from '../../../refusal.ts';
import { dayIn, timeText } from '../../../runtime/time.ts';
import { type Trace, traceFields } from '../../../runtime/trace.ts';
import { doneWithin, withTimeout } from '../../../runtime/with-timeout.ts';
import type { Origin } from '../../notices/notify-player.ts';
import type { Zone } from '../../zones/store.ts';
import { requireOpen } from '../../zones/zone-cache.ts';
import type { UseCode, WithdrawDeps } from '../deps.ts';
import type { DayLimits, NewWithdrawal } from '../store/accept-store.ts';
import { isUnderWay, provisionalOpenKey, tookNothing, type Withdrawal } from '../withdrawal.ts';
import { requireCode } from './require-code.ts';

export interface WithdrawRequest {
  readonly playerId: number;
  /** Whether the player has a second factor. */
  readonly twoFactor: boolean;
  readonly key: string | undefined;
  readonly body: BodyOf<typeof routes.withdraw>;
  readonly origin: Origin;
  readonly trace: Trace;
}

interface FreshWithdrawal extends NewWithdrawal {
  readonly useCode: UseCode | undefined;
}

/** How long a request waits for its outcome, in addition to `gm.timeout`. */
const PROCESS_TIMEOUT_MS = 12_000;
/** Shorter than every request's limit of 25 s, so that the answer is the state so far. */
const MAX_PROCESS_TIMEOUT_MS = 20_000;
/** How long to read the state for the answer. */
const READ_WITHIN_MS = 3000;
const POLL_MS = 40;

/** Withdraws currency. A request is stored durably, then processed, then answered from the database. */
export function withdraw(deps: WithdrawDeps) {
  const { store, accepting, settings, processWithdrawal, withdrawLimit, onFailpoint, log } = deps;
  const acceptCode = requireCode(deps);

  /** Maps a role to its in-flight request. Concurrent requests for the same role wait here instead of opening a transaction. */
  const inFlight = new Map<string, Promise<boolean>>();

  return async (request: WithdrawRequest): Promise<WithdrawOutcome> => {
    const outcome = await answer(request);
    const named = request.body.server_id;
    return outcome.server_id === named ? outcome : { ...outcome, origin_server_id: named };
  };

  async function answer(request: WithdrawRequest): Promise<WithdrawOutcome> {
    const known = await findByKey(request);
    if (known) return replay(known, request);
    const zone = requireFit(deps, request.body);
    await refuseHeld(request.playerId);
    const { first, useCode } = await acceptCode(request, findByKey);
    if (first) return replay(first, request);
    await withdrawLimit.admit(request.playerId, request.key);
    try {
      return await take(request, {
        ...newWithdrawal(request, zone, settings.current.time_zone),
        useCode,
      });
    } finally {
      withdrawLimit.release(request.playerId, request.key);
    }
  }

  async function take(request: WithdrawRequest, fresh: FreshWithdrawal): Promise<WithdrawOutcome> {
    if (await inFlight.get(fresh.openKey)) return resolveConflict(fresh, request);
    const accepted = accept(fresh, request);
    const isAccepted = accepted.catch(() => false);
    inFlight.set(fresh.openKey, isAccepted);
    try {
      if (!(await accepted)) return await resolveConflict(fresh, request);
      return await processAccepted(fresh, request.origin);
    } finally {
      if (inFlight.get(fresh.openKey) === isAccepted) inFlight.delete(fresh.openKey);
    }
  }

  /** Prevents an attacker who took over the account through its mailbox from emptying it before the owner notices. */
  async function refuseHeld(playerId: number): Promise<void> {
    const holdMs = settings.current.withdraw.hold_after_reset * 1000;
    const heldUntil = holdMs > 0 ? await deps.heldUntil(playerId, holdMs) : undefined;
    if (heldUntil === undefined) return;
    const until = timeText(heldUntil);
    throw new Refusal('withdraw_disabled', { variant: 'held', params: { until }, extra: { until } });
  }

  /** Returns false if the key or the role is already in the database, or the code is used. */
  async function accept(fresh: FreshWithdrawal, request: WithdrawRequest): Promise<boolean> {
    await onFailpoint('requested');
    const accepted = await accepting.accept(fresh, dayLimits(), fresh.useCode);
    if (accepted === 'over_daily_max' || accepted === 'too_many_refused') {
      // The same request may have reached the limit on another instance.
      if (await findByKey(request)) return false;
      throw accepted === 'over_daily_max' ? outOfRange('daily', settings.current.withdraw) : tooManyRefused();
    }
    if (accepted === 'uncertain')
      throw new Refusal('unavailable', { variant: 'withdraw', extra: { withdraw_id: fresh.id } });
    // The zone has just been merged, and this instance does not know the target yet. A retry will.
    if (accepted === 'zone_merged') throw new Refusal('unavailable', { retryAfter: 1 });
    if (accepted !== 'kept') return false;
    log.info({ withdraw_id: fresh.id, ...traceFields(fresh.trace) }, 'a withdrawal was accepted');
    await onFailpoint('accepted');
    return true;
  }

  function findByKey({ playerId, key }: WithdrawRequest): Promise<Withdrawal | undefined> {
    return key === undefined ? Promise.resolve(undefined) : store.findByKey(playerId, key);
  }

  /** Waits for the first request with this key and returns its answer. */
  async function replay(known: Withdrawal, { body }: WithdrawRequest): Promise<WithdrawOutcome> {
    if (known.fingerprint !== fingerprintOf(body)) throw new Refusal('idempotency_conflict');
    return answerFor(await whenSettled(known));
  }

  /** Handles a conflict: the same request came first, or another withdrawal of the role is open. */
  async function resolveConflict(fresh: FreshWithdrawal, request: WithdrawRequest): Promise<WithdrawOutcome> {
    const original = await findByKey(request);
    if (original) return replay(original, request);
    const code = 'withdraw_in_progress';
    const kept = await accepting.keepRefused(fresh, code, dayLimits(), fresh.useCode);
    if (kept === 'kept') throw new Refusal(code, { extra: { withdraw_id: fresh.id } });
    const written = await findByKey(request);
    if (written) return replay(written, request);
    if (kept === 'too_many_refused') throw tooManyRefused();
    if (kept === 'code_used') throw new Refusal('invalid_credentials', { variant: 'code' });
    throw new Refusal('unavailable');
  }

  async function processAccepted({ id, ...fresh }: NewWithdrawal, origin: Origin): Promise<WithdrawOutcome> {
    const pending: WithdrawOutcome = {
      withdraw_id: id,
      state: 'accepted',
      server_id: fresh.serverId,
      role: fresh.role,
      amount: fresh.amount,
    };
    try {
      const accepted = await store.find(id);
      if (!accepted) return pending;
      await doneWithin(processWithdrawal(accepted, { trace: fresh.trace, origin }), timeoutMs());
      return answerFor((await read(id)) ?? accepted);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      // The withdrawal is accepted and recovery will process it; only its state cannot be read now.
      log.warn(
        { err: error, withdraw_id: id, ...traceFields(fresh.trace) },
        'the state of a withdrawal could not be read',
      );
      return pending;
    }
  }

  function read(id: string): Promise<Withdrawal | undefined> {
    return withTimeout(store.find(id), READ_WITHIN_MS, () => new Error('the state was not read in time'));
  }

  async function whenSettled(first: Withdrawal): Promise<Withdrawal> {
    const deadline = performance.now() + timeoutMs();
    let now = first;
    for (let wait = POLL_MS; isUnderWay(now.state) && performance.now() < deadline; wait *= 1.3) {
      await sleep(wait);
      // A database that fails must not refuse a request that may have been carried out.
      now = (await read(now.id).catch(() => undefined)) ?? now;
    }
    return now;
  }

  function dayLimits(): DayLimits {
    const { daily_max, refused_per_day } = settings.current.withdraw;
    return { amount: daily_max || Number.MAX_SAFE_INTEGER, refused: refused_per_day };
  }

  /** Every refused request is stored, so their number per day is limited. */
  function tooManyRefused(): Refusal {
    return new Refusal('too_many_attempts', { retryAfter: dayIn(settings.current.time_zone).secondsLeft });
  }

  function timeoutMs(): number {
    return Math.min(PROCESS_TIMEOUT_MS + settings.current.gm.timeout * 1000, MAX_PROCESS_TIMEOUT_MS);
  }
}

/** Makes the checks that need neither the database nor the game. Returns the zone to withdraw from. */
function requireFit({ zones, settings }: WithdrawDeps, { server_id, amount }: WithdrawRequest['body']): Zone {
  const limits = settings.current.withdraw;
  if (!limits.enabled) throw new Refusal('withdraw_disabled');
  const zone = requireOpen(zones, server_id);
  if (amount < limits.min || amount > limits.max) throw outOfRange('range', limits);
  if (amount % limits.step !== 0) throw outOfRange('step', limits);
  return zone;
}

function outOfRange(
  variant: 'range' | 'step' | 'daily',
  { min, max, step, daily_max }: { min: number; max: number; step: number; daily_max: number },
): Refusal {
  return refuseField('amount_out_of_range', 'amount', { variant, params: { min, max, step, daily_max } });
}

function newWithdrawal(
  { playerId, key, body, trace }: WithdrawRequest,
  { serverId, gmUrl, databaseUrl }: Zone,
  timeZone: string,
): NewWithdrawal {
  const { role, amount } = body;
  const originServerId = body.server_id === serverId ? null : body.server_id;
  return {
    id: randomUUID(),
    playerId,
    requestKey: key ?? null,
    fingerprint: fingerprintOf(body),
    serverId,
    originServerId,
    role,
    amount,
    // After a merge the same role name can refer to different roles, so the key includes the origin zone.
    openKey: provisionalOpenKey(
      serverId,
      playerId,
      digest(originServerId === null ? role : [originServerId, role]),
    ),
    day: Temporal.Now.plainDateISO(timeZone).toString(),
    gmUrl,
    databaseUrl,
    trace,
  };
}

const fingerprintOf = ({ server_id, role, amount }: WithdrawRequest['body']) =>
  digest([server_id, role, amount]);

const digest = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** Returns the response for a withdrawal. Built from the database alone, so that a repeated request gets the same one. */
export function answerFor(withdrawal: Withdrawal): WithdrawOutcome {
  const { id, state, serverId, role, amount, balanceAfter, resultCode } = withdrawal;
  if (tookNothing(state))
    throw new Refusal(resultCode ?? 'deduction_refused', { extra: { withdraw_id: id } });
  return {
    withdraw_id: id,
    state,
    server_id: serverId,
    role,
    amount,
    ...(state === 'done' && { balance_after: balanceAfter }),
  };
}

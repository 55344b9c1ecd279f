import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BodyOf, routes, WithdrawOutcome } from '@gatehouse/contract';
import type { Log } from '../../../logging/log.ts';
import { Refusal, refuseField } from '../../../refusal.ts';
import { doneWithin } from '../../../runtime/with-timeout.ts';
import type { LiveSettings } from '../../../settings/live.ts';
import { requireOpen } from '../../zones/entry.ts';
import type { ZoneCache } from '../../zones/zone-cache.ts';
import type { OnFailpoint } from '../process/failpoints.ts';
import type { ProcessWithdrawal } from '../process/process-withdrawal.ts';
import type { AcceptStore, NewWithdrawal } from '../store/accept-store.ts';
import type { WithdrawStore } from '../store/store.ts';
import { isUnderWay, provisionalOpenKey, type Withdrawal } from '../withdrawal.ts';
import { answerFor } from './answer.ts';

export interface WithdrawParts {
  readonly store: WithdrawStore;
  readonly accepting: AcceptStore;
  readonly zones: ZoneCache;
  readonly processWithdrawal: ProcessWithdrawal;
  readonly settings: LiveSettings;
  readonly onFailpoint: OnFailpoint;
  readonly log: Pick<Log, 'warn'>;
}

export interface Asked {
  readonly playerId: number;
  readonly key: string | undefined;
  readonly body: BodyOf<typeof routes.withdraw>;
}

/** Beyond what the game server itself may take. */
const PATIENCE_MS = 12_000;
const LOOK_AGAIN_MS = 40;

/** Withdraws currency: accepted durably first, then carried on, then answered from the database. */
export function withdraw(parts: WithdrawParts) {
  const { store, accepting, settings, processWithdrawal, onFailpoint, log } = parts;

  /** Roles with a request on its way in this process, and whether it was accepted: most who come second never reach the database. */
  const ahead = new Map<string, Promise<boolean>>();

  return async (asked: Asked): Promise<WithdrawOutcome> => {
    const known = await findKnown(asked);
    if (known) return replay(known, asked);
    refuseUnfit(parts, asked.body);

    const fresh = newWithdrawal(asked, settings.current.time_zone);
    if (await ahead.get(fresh.openKey)) return meetAnother(fresh, asked);
    const accepted = accept(fresh);
    const isAhead = accepted.catch(() => false);
    ahead.set(fresh.openKey, isAhead);
    try {
      return (await accepted) ? await goOn(fresh) : await meetAnother(fresh, asked);
    } finally {
      if (ahead.get(fresh.openKey) === isAhead) ahead.delete(fresh.openKey);
    }
  };

  /** False when its key or its role is in the database already. */
  async function accept(fresh: NewWithdrawal): Promise<boolean> {
    const limits = settings.current.withdraw;
    await onFailpoint('asked');
    const accepted = await accepting.accept(fresh, limits.daily_max || Number.MAX_SAFE_INTEGER);
    if (accepted === 'over_daily_max') throw outOfRange('daily', limits);
    if (accepted === 'uncertain')
      throw new Refusal('unavailable', { variant: 'withdraw', extra: { withdraw_id: fresh.id } });
    if (accepted === 'kept') await onFailpoint('accepted');
    return accepted === 'kept';
  }

  function findKnown({ playerId, key }: Asked): Promise<Withdrawal | undefined> {
    return key === undefined ? Promise.resolve(undefined) : store.findByKey(playerId, key);
  }

  /** The same request again waits for the first and is told the same. */
  async function replay(known: Withdrawal, { body }: Asked): Promise<WithdrawOutcome> {
    if (known.fingerprint !== fingerprintOf(body)) throw new Refusal('idempotency_conflict');
    return answerFor(await whenSettled(known));
  }

  /** The same request came first, or another withdrawal of its role is open. */
  async function meetAnother(fresh: NewWithdrawal, asked: Asked): Promise<WithdrawOutcome> {
    const twin = await findKnown(asked);
    if (twin) return replay(twin, asked);
    const code = 'withdraw_in_progress';
    if (await accepting.keepRefused(fresh, code))
      throw new Refusal(code, { extra: { withdraw_id: fresh.id } });
    const lateTwin = await findKnown(asked);
    if (lateTwin) return replay(lateTwin, asked);
    throw new Refusal('unavailable');
  }

  async function goOn({ id, ...fresh }: NewWithdrawal): Promise<WithdrawOutcome> {
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
      await doneWithin(processWithdrawal(accepted), patience());
      return answerFor((await store.find(id)) ?? accepted);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      // It is accepted, so recovery goes on with it; only what became of it cannot be told now.
      log.warn({ err: error, withdraw_id: id }, 'the state of a withdrawal could not be read');
      return pending;
    }
  }

  async function whenSettled(first: Withdrawal): Promise<Withdrawal> {
    const deadline = performance.now() + patience();
    let now = first;
    for (let wait = LOOK_AGAIN_MS; isUnderWay(now.state) && performance.now() < deadline; wait *= 1.3) {
      await sleep(wait);
      now = (await store.find(now.id)) ?? now;
    }
    return now;
  }

  function patience(): number {
    return PATIENCE_MS + settings.current.gm.timeout * 1000;
  }
}

/** Refuses what can be refused without asking anybody. */
function refuseUnfit({ zones, settings }: WithdrawParts, { server_id, amount }: Asked['body']): void {
  const limits = settings.current.withdraw;
  if (!limits.enabled) throw new Refusal('withdraw_disabled');
  requireOpen(zones.find(server_id));
  if (amount < limits.min || amount > limits.max) throw outOfRange('range', limits);
  if (amount % limits.step !== 0) throw outOfRange('step', limits);
}

function outOfRange(
  variant: 'range' | 'step' | 'daily',
  { min, max, step, daily_max }: { min: number; max: number; step: number; daily_max: number },
): Refusal {
  return refuseField('amount_out_of_range', 'amount', { variant, params: { min, max, step, daily_max } });
}

function newWithdrawal({ playerId, key, body }: Asked, timeZone: string): NewWithdrawal {
  const { server_id: serverId, role, amount } = body;
  return {
    id: randomUUID(),
    playerId,
    requestKey: key ?? null,
    fingerprint: fingerprintOf(body),
    serverId,
    role,
    amount,
    openKey: provisionalOpenKey(serverId, playerId, digest(role)),
    day: Temporal.Now.plainDateISO(timeZone).toString(),
  };
}

const fingerprintOf = ({ server_id, role, amount }: Asked['body']) => digest([server_id, role, amount]);

const digest = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');

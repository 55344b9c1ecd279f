import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WithdrawState } from '@gatehouse/contract';
import type { DeductionResult } from '../../../integrations/gm-command.ts';
import type { ZoneDriver } from '../../../integrations/zone-driver.ts';
import { Refusal } from '../../../refusal.ts';
import { runTraced, type Trace, traceFields } from '../../../runtime/trace.ts';
import type { Origin } from '../../notices/notify-player.ts';
import type { Zone } from '../../zones/store.ts';
import { requireOpen } from '../../zones/zone-cache.ts';
import type { ProcessWithdrawal, WithdrawCause, WithdrawDeps } from '../deps.ts';
import { notifyOwner } from '../notify-owner.ts';
import { type OwnRole, ownRole, prefixOf } from '../request/own-role.ts';
import type { Move } from '../store/store.ts';
import { isAt, openKeyOf, tookNothing, type Withdrawal } from '../withdrawal.ts';

/** The game's answer, and the tokens of the claims that may be in force; null if there may be none. */
interface Sent {
  readonly result: DeductionResult;
  readonly tokens: readonly (string | null)[];
}

type ProcessDeps = Pick<
  WithdrawDeps,
  | 'store'
  | 'zones'
  | 'drivers'
  | 'accountOf'
  | 'settings'
  | 'notifyPlayer'
  | 'onFailpoint'
  | 'actor'
  | 'moved'
  | 'log'
>;

/** Upper bound from claim to send. Later, recovery may already have set the withdrawal to unknown. */
const SEND_WITHIN_MS = 1000;
/** How often a withdrawal is claimed if the time from claim to send ran out. Nothing has been sent by then. */
const MAX_CLAIMS = 3;
/** How long to retry writing the game's answer while the database is unavailable. */
const WRITE_WITHIN_MS = 60_000;
const WRITE_RETRY_MS = 500;

/**
 * Processes an accepted withdrawal: reserve the role, check the balance, claim, deduct, write the outcome. Several
 * processes may start it; the claim admits one of them.
 */
export function createProcessWithdrawal(deps: ProcessDeps): ProcessWithdrawal {
  const { store, onFailpoint, actor, moved, log } = deps;
  const underWay = new Set<Promise<void>>();

  async function execute(withdrawal: Withdrawal, trace: Trace, origin?: Origin): Promise<void> {
    const ready = await prepare(deps, withdrawal);
    await onFailpoint('checked');
    const sent = await claimAndSend(withdrawal, ready, trace);
    if (!sent) return;
    await onFailpoint('answered');
    const outcome = outcomeOf(sent.result, withdrawal, ready.available);
    const { roleId, name: roleName } = ready.role;
    const known = { ...withdrawal, roleId, roleName };
    await settle(deps, known, sent.tokens, outcome, trace);
    if (!tookNothing(outcome.to)) notifyOwner(deps, known, origin);
    await onFailpoint('settled');
  }

  /** Returns undefined if another process has the withdrawal. */
  async function claimAndSend(withdrawal: Withdrawal, ready: Ready, trace: Trace): Promise<Sent | undefined> {
    const { role, driver } = ready;
    let late: { result: DeductionResult; token: string } | undefined;
    for (let claims = 1; ; claims++) {
      const token = randomUUID();
      const claim = await store
        .claim(withdrawal, { ...ready, token, previous: late?.token, actor })
        .catch((error) => {
          if (!late) throw error;
          return 'superseded' as const;
        });
      if (claim === 'unconfirmed') {
        const why = 'the claim was not confirmed';
        log.warn({ ...about(withdrawal, trace) }, why);
        const result = late?.result ?? { kind: 'not_sent', why, exchange: { asked: {} } };
        // The first again, because it may be committed only after it was looked for.
        return { result, tokens: [token, late?.token ?? null, token] };
      }
      // If a late claim cannot be renewed, only this process knows that nothing was sent.
      if (claim === 'superseded') return late && { result: late.result, tokens: [late.token] };
      if (claims === 1) moved('sending');
      await onFailpoint('claimed');
      let isLate = false;
      const result = await driver.deduct(
        { order: withdrawal.id, roleId: role.roleId, roleName: role.name, amount: withdrawal.amount },
        () => {
          isLate = performance.now() - claim.began > SEND_WITHIN_MS;
          return !isLate;
        },
        trace,
      );
      if (!isLate || claims === MAX_CLAIMS) return { result, tokens: [token] };
      late = { result, token };
    }
  }

  async function refuse(withdrawal: Withdrawal, { code }: Refusal, trace: Trace): Promise<void> {
    const refused = { from: 'accepted', to: 'refused', why: code, resultCode: code, actor } as const;
    if (!(await store.move(withdrawal, refused))) return;
    moved('refused');
    log.info({ ...about(withdrawal, trace), state: 'refused', why: code }, 'a withdrawal ended');
  }

  async function run(withdrawal: Withdrawal, cause: WithdrawCause | undefined): Promise<void> {
    let trace = cause?.trace ?? {};
    try {
      trace = cause?.trace ?? (await store.traceOf(withdrawal.id));
      await runTraced(trace, () => execute(withdrawal, trace, cause?.origin)).catch((error) => {
        if (error instanceof Refusal) return refuse(withdrawal, error, trace);
        if (!(error instanceof Superseded)) throw error;
      });
    } catch (error) {
      log.error({ err: error, ...about(withdrawal, trace) }, 'a withdrawal could not be processed');
    }
  }

  return Object.assign(
    (withdrawal: Withdrawal, cause?: WithdrawCause) => {
      const running = run(withdrawal, cause).finally(() => underWay.delete(running));
      underWay.add(running);
      return running;
    },
    {
      async idle() {
        while (underWay.size > 0) await Promise.all(underWay);
      },
    },
  );
}

/** Returns the fields by which every log line names a withdrawal and its request. */
const about = ({ id }: Withdrawal, trace: Trace) => ({ withdraw_id: id, ...traceFields(trace) });

/** Thrown if another process has moved the withdrawal to a later state. */
class Superseded extends Error {}

interface Ready {
  readonly zone: Zone;
  readonly driver: ZoneDriver;
  readonly role: OwnRole;
  readonly openKey: string;
  readonly balance: number;
  readonly available: number;
  readonly detail: object;
}

/** Makes every check that can refuse before anything is sent to the game server. */
async function prepare(deps: ProcessDeps, withdrawal: Withdrawal): Promise<Ready> {
  const { store, zones, drivers, accountOf, settings, onFailpoint, actor } = deps;
  const { serverId, amount } = withdrawal;
  if (!settings.current.withdraw.enabled) throw new Refusal('withdraw_disabled');
  const open = requireOpen(zones, serverId);
  // Merges wait for open withdrawals, so this zone was merged by plain SQL. Send nothing.
  if (open.serverId !== serverId) throw new Refusal('server_not_found');
  // Nothing is sent to the addresses of a zone that has moved since.
  if (!isAt(withdrawal, open) || !open.gmUrl) throw new Refusal('game_server_unavailable');
  const driver = drivers(open);
  const prefix = prefixOf(withdrawal, settings.current.zones.role_prefix);
  const wanted = { role: withdrawal.role, prefix };
  const role = await ownRole(driver, await accountOf(withdrawal.playerId), wanted);

  const openKey = openKeyOf(serverId, role.roleId);
  const held = await store.hold(withdrawal, role, openKey, actor);
  if (held === 'taken') throw new Refusal('withdraw_in_progress');
  if (held === 'superseded') throw new Superseded();
  await onFailpoint('held');

  // Read these before the balance: withdrawals too old to be counted are then saved by the time the balance is read.
  const withinMs = settings.current.zones.save_interval * 1000;
  const recent = (await store.recentlyDone(zones.idsOf(open), [role.roleId], withinMs)).get(role.roleId) ?? 0;
  const seen = await driver.balance(role.roleId);
  if (!seen) throw new Refusal('role_not_found');
  const { balance, online } = seen;
  const available = balance - recent;
  if (available < amount) throw new Refusal('insufficient_balance');
  return { zone: open, driver, role, openKey, balance, available, detail: { balance, recent, online } };
}

type Outcome = Omit<Move, 'from' | 'actor'>;

function outcomeOf(result: DeductionResult, { amount }: Withdrawal, available: number): Outcome {
  const { kind, why, exchange: detail } = result;
  switch (kind) {
    case 'done':
      return { to: 'done', why, detail, balanceAfter: result.balance ?? available - amount };
    case 'refused':
      return { to: 'failed', why, detail, resultCode: 'deduction_refused' };
    case 'not_sent':
      return { to: 'failed', why: `not sent: ${why}`, detail, resultCode: 'game_server_unavailable' };
    case 'unknown':
      return { to: 'unknown', why, detail };
  }
}

/** Writes the outcome. Retries while the database is unavailable, because only this process knows the outcome. */
async function settle(
  deps: ProcessDeps,
  withdrawal: Withdrawal,
  tokens: Sent['tokens'],
  outcome: Outcome,
  trace: Trace,
): Promise<void> {
  const { store, actor, moved, log } = deps;
  const move = { ...outcome, actor };
  /** Returns the state written, or undefined if the claim is not in force. */
  async function write(claimToken: string | null): Promise<WithdrawState | undefined> {
    const claimed = { ...withdrawal, claimToken };
    const changed = async (from: WithdrawState, to = outcome.to) =>
      (await store.move(claimed, { ...move, from, to })) ? to : undefined;
    // Without a claim it is still accepted. Its own claim, if committed only now, then fails.
    if (claimToken === null) return changed('accepted', 'refused');
    // If recovery was faster, a definite outcome replaces unknown.
    return (await changed('sending')) ?? (outcome.to === 'unknown' ? undefined : changed('unknown'));
  }
  const deadline = performance.now() + WRITE_WITHIN_MS;
  for (let tries = 1; ; tries++) {
    try {
      let state: WithdrawState | undefined;
      for (const token of tokens) state ??= await write(token);
      if (!state) return await compare(deps, withdrawal, outcome, trace);
      moved(state);
      const fields = { ...about(withdrawal, trace), server_id: withdrawal.serverId, why: outcome.why };
      if (state === 'unknown') log.warn(fields, 'the outcome of a withdrawal is unknown');
      else log.info({ ...fields, state }, 'a withdrawal ended');
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      if (tries === 1)
        log.warn(
          { err: error, ...about(withdrawal, trace), outcome: outcome.to },
          'the outcome of a withdrawal could not be written; retrying',
        );
      await sleep(WRITE_RETRY_MS);
    }
  }
}

/** Compares the outcome with the one another process has written; the two must agree. */
async function compare(
  { store, log }: ProcessDeps,
  withdrawal: Withdrawal,
  { to }: Outcome,
  trace: Trace,
): Promise<void> {
  const now = await store.find(withdrawal.id);
  if (now?.state !== to)
    log.error(
      { ...about(withdrawal, trace), answer: to, stored: now?.state },
      'the game’s answer contradicts the database',
    );
}

import type { Enqueue } from '../../db/outbox.ts';
import type { Trx } from '../../db/transaction.ts';
import type { Log } from '../../logging/log.ts';
import { Refusal, refuseField, refuseInput } from '../../refusal.ts';
import { dayIn } from '../../runtime/time.ts';
import { accountKey } from '../../security/account-key.ts';
import type { LiveSettings } from '../../settings/live.ts';
import type { ErasedNameStore, RegistrationStore } from './registration-store.ts';
import type { AccountStore, NewPlayer } from './store.ts';

export type CreatePlayer = ReturnType<typeof createPlayer>;

/** Prepares a new player within the day's cap, for a transaction of the caller's. */
export function createPlayer({
  players,
  erasedNames,
  registrations,
  settings,
  enqueue,
}: {
  players: AccountStore;
  erasedNames: Pick<ErasedNameStore, 'has'>;
  registrations: RegistrationStore;
  settings: LiveSettings;
  enqueue: Enqueue;
}) {
  return async (player: NewPlayer) => {
    const { day_max_reg: cap, time_zone } = settings.current;
    const { day, secondsLeft } = dayIn(time_zone);
    await registrations.openDay(day);
    let inserted = 0;
    return {
      /**
       * Inserts the player and returns its id. The cap is counted after `alsoWrite`, because all registrations of a day wait for its
       * row lock.
       */
      async insert(trx: Trx, alsoWrite?: (playerId: number) => Promise<void>): Promise<number> {
        const id = await players.addPlayer(trx, player);
        if (id === 'email') throw refuseField('email_taken', 'email');
        if (id === 'account' || (await erasedNames.has(trx, player.account)))
          throw refuseField('account_taken', 'account');
        await alsoWrite?.(id);
        const { account, serverId, agentId } = player;
        await enqueue(trx, {
          type: 'player.registered',
          data: { player_id: id, account, server_id: serverId, agent_id: agentId },
        });
        if (!(await registrations.count(trx, day, cap))) throw capReached(secondsLeft);
        inserted = id;
        return id;
      },
      /** Reports whether the last insert was committed, and not that of an equal request. */
      async wasInserted(): Promise<boolean> {
        const found = await players.findByAccount(player.account);
        return found?.id === inserted && found.passwordHash === player.passwordHash;
      },
    };
  };
}

interface AgentDeps {
  readonly players: AccountStore;
  readonly log: Pick<Log, 'info'>;
}

/** Returns null for an unknown promoter, which never fails a registration. */
export async function resolveAgent({ players, log }: AgentDeps, requested: unknown): Promise<number | null> {
  if (requested === undefined || requested === '') return null;
  const wellFormed = /^[1-9]\d{0,14}$/.test(String(requested));
  const agentId = wellFormed ? await players.findActiveAgent(Number(requested)) : undefined;
  if (agentId === undefined)
    log.info({ agent_id: String(requested).slice(0, 64) }, 'registration with an unknown promoter');
  return agentId ?? null;
}

const CLOSED_RETRY_S = 3600;

export type RequireRegistrationOpen = () => Promise<void>;

/** Refuses while registration is closed or the day's cap is reached. The registration transaction does the counting. */
export function requireRegistrationOpen(parts: {
  readonly registrations: Pick<RegistrationStore, 'countOf'>;
  readonly settings: LiveSettings;
}): RequireRegistrationOpen {
  return async () => {
    const { day_max_reg, time_zone } = parts.settings.current;
    refuseClosed(day_max_reg);
    const { day, secondsLeft } = dayIn(time_zone);
    if ((await parts.registrations.countOf(day)) >= day_max_reg) throw capReached(secondsLeft);
  };
}

export function refuseClosed(dayMax: number): void {
  if (dayMax === 0)
    throw new Refusal('registration_cap_reached', { variant: 'closed', retryAfter: CLOSED_RETRY_S });
}

export const capReached = (retryAfter: number) => new Refusal('registration_cap_reached', { retryAfter });

export function refuseReserved(account: string, reserved: readonly string[]): void {
  const key = accountKey(account);
  if (reserved.some((name) => accountKey(name) === key)) {
    throw refuseField('account_taken', 'account', { variant: 'reserved' });
  }
}

export async function refuseDisposable(email: string): Promise<void> {
  const { isDisposableEmail } = await import('disposable-email-domains-js');
  if (isDisposableEmail(email)) throw refuseInput('email', 'disposable');
}

import type { Enqueue } from '../../db/outbox.ts';
import type { Trx } from '../../db/transaction.ts';
import type { Log } from '../../logging/log.ts';
import { refuseField } from '../../refusal.ts';
import { dayIn } from '../../runtime/day.ts';
import type { LiveSettings } from '../../settings/live.ts';
import type { ErasedNameStore } from './erased-name-store.ts';
import { capReached } from './registration-cap.ts';
import type { AccountStore, NewPlayer, Player } from './store.ts';

export type CreatePlayer = ReturnType<typeof createPlayer>;

/**
 * Inserts a new player within the day's cap, together with the writes of `alsoWrite`, in one transaction. The cap is counted
 * last, because all registrations of a day wait for its row lock.
 */
export function createPlayer({
  players,
  erasedNames,
  settings,
  enqueue,
}: {
  players: AccountStore;
  erasedNames: Pick<ErasedNameStore, 'has'>;
  settings: LiveSettings;
  enqueue: Enqueue;
}) {
  return async (
    player: NewPlayer,
    alsoWrite: (trx: Trx, playerId: number) => Promise<void>,
  ): Promise<Player> => {
    const { day_max_reg: cap, time_zone } = settings.current;
    const { day, secondsLeft } = dayIn(time_zone);
    await players.openDay(day);
    await players.allOrNothing({
      async work(trx) {
        const id = await players.addPlayer(trx, player);
        if (id === 'email') throw refuseField('email_taken', 'email');
        if (id === 'account' || (await erasedNames.has(trx, player.account)))
          throw refuseField('account_taken', 'account');
        await alsoWrite(trx, id);
        const { account, serverId, agentId } = player;
        await enqueue(trx, {
          type: 'player.registered',
          data: { player_id: id, account, server_id: serverId, agent_id: agentId },
        });
        if (!(await players.countRegistration(trx, day, cap))) throw capReached(secondsLeft);
      },
      wasApplied: async () =>
        (await players.findByAccount(player.account))?.passwordHash === player.passwordHash,
    });
    const written = await players.findByAccount(player.account);
    if (!written) throw new Error('a player that was just written is missing');
    return written;
  };
}

interface AgentParts {
  readonly players: AccountStore;
  readonly log: Pick<Log, 'info'>;
}

/** Returns null for an unknown promoter, which never fails a registration. */
export async function resolveAgent({ players, log }: AgentParts, requested: unknown): Promise<number | null> {
  if (requested === undefined || requested === '') return null;
  const wellFormed = /^[1-9]\d{0,14}$/.test(String(requested));
  const agentId = wellFormed ? await players.findActiveAgent(Number(requested)) : undefined;
  if (agentId === undefined)
    log.info({ agent_id: String(requested).slice(0, 64) }, 'registration with an unknown promoter');
  return agentId ?? null;
}

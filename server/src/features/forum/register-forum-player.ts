import { randomBytes } from 'node:crypto';
import type { Trx } from '../../db/transaction.ts';
import type { ForumIdentity } from '../../integrations/forum-provider.ts';
import type { Log } from '../../logging/log.ts';
import { Refusal } from '../../refusal.ts';
import type { PlayerPasswords } from '../../security/player-passwords.ts';
import type { LiveSettings } from '../../settings/live.ts';
import { type CreatePlayer, resolveAgent } from '../account/create-player.ts';
import { refuseReserved } from '../account/policy.ts';
import { refuseClosed } from '../account/registration-cap.ts';
import type { AccountStore, Player } from '../account/store.ts';
import { accountNames } from './account-name.ts';
import type { BindingStore } from './store.ts';

export interface ForumPlayerParts {
  readonly players: AccountStore;
  readonly bindings: BindingStore;
  readonly passwords: PlayerPasswords;
  readonly createPlayer: CreatePlayer;
  readonly settings: LiveSettings;
  readonly log: Pick<Log, 'info'>;
}

interface ForumRegistration {
  readonly identity: ForumIdentity;
  readonly address: string;
  readonly agentId: unknown;
}

/** Registers a player for a forum identity under a free name. `connect` runs in the same transaction. */
export function registerForumPlayer(parts: ForumPlayerParts) {
  const { bindings, passwords, createPlayer, settings } = parts;
  return async (
    registration: ForumRegistration,
    connect: (trx: Trx, playerId: number) => Promise<void>,
  ): Promise<Player> => {
    const { auth, day_max_reg } = settings.current;
    refuseClosed(day_max_reg);
    // Has the form of a real hash, because game servers may compare it, but matches no known password.
    const passwordHash = await passwords.hashOfMd5(randomBytes(16).toString('hex'));
    const agentId = await resolveAgent(parts, plainAgent(registration.agentId));
    for (const account of accountNames(registration.identity)) {
      const player = {
        account,
        passwordHash,
        email: '',
        serverId: null,
        ip: registration.address,
        device: '',
        os: '',
        browse: '',
        agentId,
      };
      try {
        refuseReserved(account, auth.reserved_accounts);
        return await createPlayer(player, async (trx, playerId) => {
          await connect(trx, playerId);
          await bindings.noteUnknownPassword(trx, playerId, passwordHash);
        });
      } catch (error) {
        if (!(error instanceof Refusal && error.code === 'account_taken')) throw error;
      }
    }
    throw new Error('no account name was free');
  };
}

/**
 * Converts a promoter from a JSON body, which may be any value. A value that is neither text nor a number becomes an unknown
 * promoter.
 */
function plainAgent(value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' || typeof value === 'number' ? value : typeof value;
}

import { randomBytes, randomInt } from 'node:crypto';
import type { Trx } from '../../db/transaction.ts';
import type { ForumIdentity } from '../../integrations/forum-provider.ts';
import { Refusal } from '../../refusal.ts';
import { refuseClosed, refuseReserved, resolveAgent } from '../account/create-player.ts';
import type { Player } from '../account/player-store.ts';
import type { ForumDeps } from './deps.ts';

/** Registers a player for a forum identity under a free name. `connect` runs in the same transaction. */
export function registerForumPlayer(deps: ForumDeps) {
  const { players, bindings, passwords, createPlayer, settings } = deps;
  return async (
    registration: { readonly identity: ForumIdentity; readonly address: string; readonly agentId: unknown },
    connect: (trx: Trx, playerId: number) => Promise<void>,
  ): Promise<Player> => {
    const { auth, day_max_reg } = settings.current;
    refuseClosed(day_max_reg);
    // Has the form of a real hash, because game servers may compare it, but matches no known password.
    const passwordHash = await passwords.hashOfMd5(randomBytes(16).toString('hex'));
    const agentId = await resolveAgent(deps, plainAgent(registration.agentId));
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
        const { insert, wasInserted } = await createPlayer(player);
        let id = 0;
        await players.allOrNothing({
          async work(trx) {
            id = await insert(trx, async (playerId) => {
              await connect(trx, playerId);
              await bindings.noteUnknownPassword(trx, playerId, passwordHash);
            });
          },
          wasApplied: wasInserted,
        });
        const created = await players.findById(id);
        if (!created) throw new Error('a player that was just registered is missing');
        return created;
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

const MAX_LENGTH = 24;
const MIN_LENGTH = 4;
const TRIES = 5;

/** Yields account names to try, most readable first: the person's name, the name and a number, the provider and a number. */
export function* accountNames({
  provider,
  name,
}: {
  provider: string;
  name: string | null;
}): Generator<string> {
  const readable = plainLetters(name ?? '');
  if (readable.length >= MIN_LENGTH) yield readable;
  if (readable !== '') for (let i = 0; i < TRIES; i++) yield numbered(readable, 4);
  for (let i = 0; i < TRIES; i++) yield numbered(plainLetters(provider), 8);
}

/** Converts `Jürgen Müller` to `Jurgen_Muller`. Returns an empty string if no letters remain. */
function plainLetters(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .slice(0, MAX_LENGTH)
    .replace(/^_|_$/g, '');
}

function numbered(base: string, digits: number): string {
  const number = String(randomInt(10 ** digits)).padStart(digits, '0');
  return `${(base || 'player').slice(0, MAX_LENGTH - digits - 1)}_${number}`;
}

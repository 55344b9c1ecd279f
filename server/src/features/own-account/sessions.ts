import type { Session } from '@gatehouse/contract';
import type { OwnLogin } from '@gatehouse/contract/own-account';
import type { Trx } from '../../db/transaction.ts';
import { Refusal } from '../../refusal.ts';
import { timeText } from '../../runtime/time.ts';
import type { Limiter } from '../../security/throttle.ts';
import type { Player } from '../account/player-store.ts';
import { openSession } from '../account/session.ts';
import type { LoginKind } from '../history/login-recorder.ts';
import type { PlayerEvent } from '../history/store.ts';
import { type OwnAccountDeps, type Owner, refOf } from './owner.ts';

export function signOutEverywhere(deps: OwnAccountDeps) {
  const renew = renewSession(deps);
  return async (owner: Owner): Promise<Session> => {
    await refuseOver(deps.signOutLimit, owner);
    const session = await renew(owner, {
      change: (trx) => deps.own.endTokens(trx, refOf(owner)),
      event: { kind: 'signed_out' },
    });
    const { playerId, address, language } = owner;
    deps.notifyPlayer({ playerId, notice: { kind: 'signed_out' }, address, language });
    return session;
  };
}

export async function refuseOver(limiter: Limiter, { playerId }: Pick<Owner, 'playerId'>): Promise<void> {
  const { over, retryAfter } = await limiter.hit(String(playerId));
  if (over) throw new Refusal('too_many_attempts', { retryAfter });
}

const MAX_LOGINS = 50;

export function listLogins({ loginsOf, loginsRecorded }: OwnAccountDeps) {
  return async (playerId: number): Promise<{ logins: OwnLogin[] }> => {
    await loginsRecorded(playerId);
    const logins = await loginsOf(playerId, MAX_LOGINS);
    return {
      logins: logins.map(({ at, kind, ip, agent, serverId }) => ({
        at: timeText(at),
        kind: kind as LoginKind,
        ip,
        agent,
        server_id: serverId,
      })),
    };
  };
}

interface Renewal {
  /** Ends every token of the account. Returns false if the session has ended meanwhile. */
  readonly change: (trx: Trx) => Promise<boolean>;
  readonly event: Pick<PlayerEvent, 'kind' | 'detail'>;
  /** Reports whether the player is in the state after the change. */
  readonly isChanged?: (player: Player) => boolean;
  /** Whether the caller proved the password. Otherwise the new session ends with the old one, which may be a stolen one. */
  readonly proven?: boolean;
}

/** Makes a change that ends every token of the account, and opens a new session for the caller. */
export function renewSession(deps: OwnAccountDeps) {
  const { players, recordEvent } = deps;
  return async (
    owner: Owner,
    { change, event, isChanged = () => true, proven = false }: Renewal,
  ): Promise<Session> => {
    const { id, tokenVersion } = refOf(owner);
    const { address, userAgent } = owner;
    const next = tokenVersion + 1;
    await players.allOrNothing({
      async work(trx) {
        if (!(await change(trx))) throw new Refusal('invalid_token');
        await recordEvent(trx, { playerId: id, ...event, address, userAgent });
      },
      async wasApplied() {
        const player = await players.findById(id);
        return player?.tokenVersion === next && isChanged(player);
      },
    });
    const player = await players.findById(id);
    if (!player) throw new Refusal('invalid_token');
    const { account, serverId } = player;
    // Use the version of this change, not a later one that another caller has made.
    const renewed = { id, account, serverId, tokenVersion: next };
    return openSession(deps, renewed, proven ? undefined : owner.session);
  };
}

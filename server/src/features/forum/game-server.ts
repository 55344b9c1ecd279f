import { randomBytes } from 'node:crypto';
import { Refusal } from '../../refusal.ts';
import type { CallerScope } from '../../security/game-server-auth.ts';
import type { KeyedHash } from '../../security/keyed-hash.ts';
import { plainId } from '../../security/masking.ts';
import type { ForumDeps } from './deps.ts';
import type { BindingStore, ConnectedIdentity } from './store.ts';

/** Binds an identity that a game server reports. Repeating a binding succeeds; one that contradicts it is refused. */
export function bindAccount(deps: ForumDeps) {
  const { players, bindings, settings, notifyPlayer, log } = deps;

  /**
   * Sends mail only for providers in the settings: others cannot log anyone in, and made-up names could cause any number of
   * mails.
   */
  function notify(playerId: number, { provider, connectId }: ConnectedIdentity, unconfirmed: boolean): void {
    if (provider !== 'forum' && !Object.hasOwn(settings.current.providers, provider)) return;
    const notice = {
      kind: 'linked',
      provider,
      gameServer: { connectId: plainId(connectId), unconfirmed },
    } as const;
    notifyPlayer({ playerId, notice });
  }

  return async (account: string, identity: ConnectedIdentity, scope: CallerScope) => {
    const { bind } = settings.current.game_servers;
    if (bind === 'off') throw new Refusal('caller_not_allowed', { variant: 'bind_off' });
    const player = await players.findByAccount(account);
    if (!player || player.isErased) throw new Refusal('account_not_found');
    if (!(await isWithin(bindings, scope, player.id))) {
      log.warn(
        { player_id: player.id, zones: [...(scope.zones ?? [])] },
        'a game server called for a player of another zone',
      );
      throw new Refusal('caller_not_allowed', { variant: 'other_zone' });
    }
    await bindings.deleteOrphaned(identity);
    const unconfirmed = bind === 'confirm';
    const added = await bindings.add({ ...identity, byGameServer: true, unconfirmed }, player.id);
    if (added) notify(player.id, identity, unconfirmed);
    else if ((await bindings.ownerOf(identity))?.playerId !== player.id) throw new Refusal('already_bound');
    return { account: player.account, connect_id: identity.connectId };
  };
}

export function findLinked({ bindings }: Pick<ForumDeps, 'bindings'>) {
  return async (identity: ConnectedIdentity, scope: CallerScope): Promise<{ account: string }> => {
    const owner = await bindings.ownerOf(identity);
    if (!owner || !(await isWithin(bindings, scope, owner.playerId))) throw new Refusal('account_not_found');
    return { account: owner.account };
  };
}

/**
 * Reports whether the player belongs to the caller's zones. Old clients enter without a record, so a zone's address is enough
 * for players without a known entry; a zone's key is not.
 */
async function isWithin(
  bindings: Pick<BindingStore, 'zonesEntered'>,
  { zones, byKey }: CallerScope,
  playerId: number,
): Promise<boolean> {
  if (zones === null) return true;
  const entered = await bindings.zonesEntered(playerId);
  return entered.some((zone) => zones.has(zone)) || (!byKey && entered.length === 0);
}

export const TICKET_LIFETIME_S = 60;

/** A ticket to exchange a login at an identity provider for a session. Its two parts reach the browser separately. */
export interface Ticket {
  /** Sent in the fragment of the login page's URL. */
  readonly ticket: string;
  /** Sent in a cookie, so that a ticket in another person's link is useless in this browser. */
  readonly browserKey: string;
}

export function newTicket(): Ticket {
  const random = () => randomBytes(32).toString('base64url');
  return { ticket: random(), browserKey: random() };
}

/** Returns the hash a ticket is stored by. */
export function hashOfTicket(hash: KeyedHash, { ticket, browserKey }: Ticket): string {
  return hash(`${ticket}.${browserKey}`);
}

/** Returns the hashes a ticket may be stored by. Both parts are needed. */
export function hashesOfTicket(hash: KeyedHash, { ticket, browserKey }: Ticket): string[] {
  return hash.all(`${ticket}.${browserKey}`);
}

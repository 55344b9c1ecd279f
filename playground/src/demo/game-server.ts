import { randomUUID } from 'node:crypto';
import { Refusal } from '@gatehouse/server/refusal';
import type { Role, Zone } from '@gatehouse/simulators/zone';

/** More than a player can earn; larger reports are capped. */
const EARNED_PER_SECOND = 40;
const EARNED_AT_ONCE = 100;
const MAX_SESSIONS = 1000;

export interface Player {
  readonly session: string;
  readonly role: Pick<Role, 'name' | 'level' | 'balance'>;
}

interface Session {
  readonly zone: Zone;
  readonly roleId: number;
  readonly enteredAt: number;
  credited: number;
}

/** The token a game client presents, and for which zone. */
export interface Claim {
  readonly account: string;
  readonly token: string;
  readonly serverId: number;
}

interface Parts {
  readonly findZone: (serverId: number) => Zone | undefined;
  /** Asks the platform for the token's account; undefined if the token is not for that account or zone. */
  readonly checkToken: (claim: Claim) => Promise<string | undefined>;
}

export type GameServer = ReturnType<typeof createGameServer>;

/** The demo game's server: admits players whose token the platform confirms, and credits their earnings in the zone. */
export function createGameServer({ findZone, checkToken }: Parts) {
  const sessions = new Map<string, Session>();
  const beingMade = new Map<string, Promise<Role>>();

  /** Creates a newcomer's role once, even for concurrent requests. */
  function roleOf(zone: Zone, account: string): Promise<Role> {
    const known = zone.roles().find((role) => role.account === account);
    if (known) return Promise.resolve(known);
    const key = `${zone.serverId} ${account}`;
    const making = beingMade.get(key) ?? zone.addRole({ account, name: freeName(zone, account) });
    beingMade.set(key, making);
    return making.finally(() => beingMade.delete(key));
  }

  return {
    async enter(claim: Claim): Promise<Player> {
      const zone = findZone(claim.serverId);
      if (!zone) throw new Refusal('server_not_found');
      const account = await checkToken(claim);
      if (account === undefined) throw new Refusal('invalid_token');
      const { id, name, level, balance } = await roleOf(zone, account);
      const [oldest] = sessions.keys();
      if (sessions.size >= MAX_SESSIONS && oldest) sessions.delete(oldest);
      const session = randomUUID();
      sessions.set(session, { zone, roleId: id, enteredAt: Date.now(), credited: 0 });
      return { session, role: { name, level, balance } };
    },

    /** `total` is everything earned since entering, so a lost or repeated report does no harm. */
    async earn(request: { session: string; total: number }): Promise<{ credited: number; balance: number }> {
      const session = sessions.get(request.session);
      if (!session) throw new Refusal('invalid_token');
      const { zone, roleId, enteredAt } = session;
      const plausible = EARNED_AT_ONCE + ((Date.now() - enteredAt) / 1000) * EARNED_PER_SECOND;
      const due = Math.min(request.total, Math.floor(plausible)) - session.credited;
      if (due > 0) {
        session.credited += due;
        await zone.earn(roleId, due);
      }
      return { credited: session.credited, balance: zone.balance(roleId) };
    },
  };
}

/** Returns the account's name, with a number if a role has it already. */
function freeName(zone: Zone, account: string): string {
  const taken = new Set(zone.roles().map(({ name }) => name));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? account.slice(0, 32) : `${account.slice(0, 26)}_${number}`;
    if (!taken.has(name)) return name;
  }
}

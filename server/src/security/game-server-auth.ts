import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Log } from '../logging/log.ts';
import { Refusal } from '../refusal.ts';
import { addressList, type Caller, loopback } from './addresses.ts';

/** Upper bound of the clock difference of a signature. */
export const SIGNATURE_WINDOW_S = 300;

/** The input of a callback's signature. */
export interface SignedRequest extends Caller {
  readonly method: string;
  /** Path and query as received. */
  readonly target: string;
  readonly body: Buffer;
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
}

/** The zones whose players a caller may act for. */
export interface CallerScope {
  /** Null for all zones. */
  readonly zones: ReadonlySet<number> | null;
  /**
   * Whether a zone's key signed the request. Then players who never entered any zone do not count, only those who entered this
   * one.
   */
  readonly byKey: boolean;
}

/** A key known only to the game server of one zone. */
export interface ZoneKey {
  /** The zone and those merged with it. */
  readonly zones: ReadonlySet<number>;
  readonly key: string;
}

export interface GameServerAuth {
  /** Accepts loopback and the zones' addresses if the address is the caller's own, and the addresses in the settings. */
  isGameServer(caller: Caller): boolean;
  /** Like isGameServer, but only for the addresses in the settings. */
  isConfigured(address: string): boolean;
  /** Returns the zones for which the caller is a game server: null for all, undefined for none. */
  zonesOf(caller: Caller): ReadonlySet<number> | null | undefined;
  requireGameServer(caller: Caller): void;
  /** Refuses a callback without the required signature. Returns the zones whose players the caller may act for. */
  authenticateCallback(request: SignedRequest): Promise<CallerScope>;
}

export interface GameServerAuthDeps {
  readonly settings: {
    readonly ip: readonly string[];
    readonly key?: string;
    readonly signature: 'enforce' | 'observe';
  };
  /** Returns the zones at each address, including those merged with them. */
  readonly zoneAddresses: () => ReadonlyMap<string, ReadonlySet<number>>;
  readonly zoneKeys: () => Promise<readonly ZoneKey[]>;
  /** Stores a signature until it has expired anyway. Returns false if it was used before. */
  readonly useOnce: (key: string, lifetimeMs: number) => Promise<boolean>;
  readonly log: Pick<Log, 'warn'>;
}

type Judged = { readonly signedWith: ZoneKey | 'common key' } | { readonly fault: string };

export function createGameServerAuth(deps: GameServerAuthDeps): GameServerAuth {
  const { settings, zoneAddresses, zoneKeys, useOnce, log } = deps;
  const configured = addressList(settings.ip);
  const isConfigured = (address: string) => configured.has(address);
  function zonesOf({ address, direct }: Caller): ReadonlySet<number> | null | undefined {
    if (isConfigured(address) || (direct && loopback.has(address))) return null;
    return direct ? zoneAddresses().get(address) : undefined;
  }
  const isGameServer = (caller: Caller) => zonesOf(caller) !== undefined;

  async function judge(request: SignedRequest, keys: readonly ZoneKey[]): Promise<Judged> {
    const { timestamp, signature } = request;
    if (timestamp === undefined || signature === undefined) return { fault: 'unsigned' };
    const age = Math.abs(Date.now() / 1000 - Number(timestamp));
    if (!/^\d{1,12}$/.test(timestamp) || age > SIGNATURE_WINDOW_S) return { fault: 'out of date' };
    const isOf = (key: string) => sameSignature(signCallback(request, timestamp, key), signature);
    const isCommon = settings.key !== undefined && isOf(settings.key);
    const signedWith = isCommon ? 'common key' : keys.find(({ key }) => isOf(key));
    if (!signedWith) return { fault: 'wrong signature' };
    const isFirst = await useOnce(signature.toLowerCase(), 2 * SIGNATURE_WINDOW_S * 1000);
    return isFirst ? { signedWith } : { fault: 'replayed' };
  }

  return {
    isGameServer,
    isConfigured,
    zonesOf,
    requireGameServer(caller) {
      if (!isGameServer(caller)) throw new Refusal('caller_not_allowed');
    },
    async authenticateCallback(request) {
      const known = zonesOf(request);
      const own = known === undefined ? new Set<number>() : known;
      const keys = await zoneKeys();
      if (settings.key === undefined && keys.length === 0) return { zones: own, byKey: false };

      const judged = await judge(request, keys);
      if ('signedWith' in judged) {
        if (judged.signedWith === 'common key') return { zones: own, byKey: false };
        const { zones } = judged.signedWith;
        return { zones: own === null ? zones : zones.intersection(own), byKey: true };
      }
      // Without a common key, zones without their own key need not sign.
      const keyed = new Set(keys.flatMap(({ zones }) => [...zones]));
      const unkeyed = own === null ? null : own.difference(keyed);
      if (settings.key === undefined && judged.fault === 'unsigned' && unkeyed?.size !== 0)
        return { zones: unkeyed, byKey: false };

      const isEnforced = settings.signature === 'enforce';
      log.warn(
        { address: request.address, reason: judged.fault, enforced: isEnforced },
        'a callback had no valid signature',
      );
      // Tell only known game servers that the signature was the reason.
      if (isEnforced)
        throw new Refusal('caller_not_allowed', known === undefined ? {} : { variant: 'signature' });
      return { zones: own, byKey: false };
    },
  };
}

export function signCallback(
  { method, target, body }: Pick<SignedRequest, 'method' | 'target' | 'body'>,
  timestamp: string,
  key: string,
): Buffer {
  return createHmac('sha256', key).update(`${timestamp}\n${method}\n${target}\n`).update(body).digest();
}

function sameSignature(ours: Buffer, presented: string): boolean {
  if (!/^[0-9a-f]{64}$/i.test(presented)) return false;
  return timingSafeEqual(ours, Buffer.from(presented, 'hex'));
}

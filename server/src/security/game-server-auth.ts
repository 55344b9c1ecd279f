import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Log } from '../logging/log.ts';
import { Refusal } from '../refusal.ts';
import { addressList, type Caller, loopback } from './addresses.ts';

/** How far the time of a signature may be off. */
export const SIGNATURE_WINDOW_S = 300;

/** What a callback's signature is made over. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query as they came. */
  readonly target: string;
  readonly body: Buffer;
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
  readonly address: string;
}

export interface GameServerAuth {
  /** Loopback or an address of the zones, if it is the caller's own; or one the settings name. */
  isGameServer(caller: Caller): boolean;
  /** As isGameServer, without loopback and the zones: an address the operator vouched for. */
  isVouchedFor(address: string): boolean;
  /** Refuses whoever is no game server. */
  requireGameServer(caller: Caller): void;
  /** Refuses a callback that, where a key is set, is not freshly signed. */
  requireSignature(request: SignedRequest): Promise<void>;
}

export interface GameServerAuthParts {
  readonly settings: {
    readonly ip: readonly string[];
    readonly key?: string;
    readonly signature: 'enforce' | 'observe';
  };
  /** The addresses of the zones, as they are now. */
  readonly zoneAddresses: () => ReadonlySet<string>;
  /** Remembers a signature until it is out of date anyway; false when it was seen before. */
  readonly useOnce: (key: string, lifetimeMs: number) => Promise<boolean>;
  readonly log: Pick<Log, 'warn'>;
}

export function createGameServerAuth({
  settings,
  zoneAddresses,
  useOnce,
  log,
}: GameServerAuthParts): GameServerAuth {
  const configured = addressList(settings.ip);
  const isVouchedFor = (address: string) => configured.has(address);
  const isGameServer = ({ address, direct }: Caller) =>
    isVouchedFor(address) || (direct && (loopback.has(address) || zoneAddresses().has(address)));

  async function fault(request: SignedRequest, key: string): Promise<string | undefined> {
    const { timestamp, signature } = request;
    if (timestamp === undefined || signature === undefined) return 'unsigned';
    const age = Math.abs(Date.now() / 1000 - Number(timestamp));
    if (!/^\d{1,12}$/.test(timestamp) || age > SIGNATURE_WINDOW_S) return 'out of date';
    if (!sameSignature(signCallback(request, timestamp, key), signature)) return 'wrong signature';
    return (await useOnce(signature.toLowerCase(), 2 * SIGNATURE_WINDOW_S * 1000)) ? undefined : 'replayed';
  }

  return {
    isGameServer,
    isVouchedFor,
    requireGameServer(caller) {
      if (!isGameServer(caller)) throw new Refusal('caller_not_allowed');
    },
    async requireSignature(request) {
      if (settings.key === undefined) return;
      const reason = await fault(request, settings.key);
      if (reason === undefined) return;
      log.warn(
        { address: request.address, reason, enforced: settings.signature === 'enforce' },
        'a callback was not signed well',
      );
      if (settings.signature === 'enforce') throw new Refusal('caller_not_allowed');
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

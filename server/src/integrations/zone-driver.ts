import type { Log } from '../logging/log.ts';
import { Refusal } from '../refusal.ts';
import { type CircuitBreaker, circuitBreaker } from '../runtime/circuit-breaker.ts';
import type { Trace } from '../runtime/trace.ts';
import type { Settings } from '../settings/schema.ts';
import { type GameRole, gameDatabases } from './game-database.ts';
import { type Deduction, type DeductionResult, type GmZone, gmCommands, type Receipt } from './gm-command.ts';

/** What the service needs from a game zone. Another kind of game needs only another driver. */
export interface ZoneDriver {
  /** Returns the roles of one account in this zone. Refuses with game_server_unavailable if the game database cannot be read. */
  roles(account: string): Promise<GameRole[]>;
  /** Returns one role with its balance as last saved by the game. */
  balance(roleId: number): Promise<GameRole | undefined>;
  /** Deducts currency in one attempt, without retries. Never throws: the outcome is known or `unknown`. */
  deduct(
    deduction: Omit<Deduction, 'serverId'>,
    mayStillSend: () => boolean,
    trace?: Trace,
  ): Promise<DeductionResult>;
  /** Returns the outcome of a deduction; undefined if the zone offers no receipts. */
  readonly receipt: ((order: string, trace?: Trace) => Promise<Receipt>) | undefined;
}

export interface DrivenZone extends GmZone {
  readonly serverId: number;
  readonly gmUrl: string | null;
  readonly databaseUrl: string | null;
}

export type ZoneDrivers = (zone: DrivenZone) => ZoneDriver;

/** How a call of a zone's GM interface ended. `rejected`: not sent, because the breaker is open or we were late. */
export interface GmCall {
  readonly serverId: number;
  readonly call: 'deduct' | 'receipt';
  readonly outcome: DeductionResult['kind'] | Receipt['kind'] | 'rejected';
  readonly why: string;
  readonly seconds: number;
}

interface DriverDeps {
  readonly settings: Pick<Settings, 'zones' | 'gm'>;
  readonly log: Pick<Log, 'warn'>;
  readonly onGmCall?: (call: GmCall) => void;
  readonly onBreaker?: (serverId: number, isOpen: boolean) => void;
}

const BREAK_AFTER = 20;
const PAUSE_MS = 5000;

/** The default driver: a game database `mir_actor_s{server_id}`, and GM commands over HTTP. */
export function zoneDrivers({
  settings,
  log,
  onGmCall = () => {},
  onBreaker = () => {},
}: DriverDeps): ZoneDrivers {
  const databaseOf = gameDatabases(settings.zones);
  const gmOf = gmCommands(settings.gm, settings.zones.allowed_hosts);
  const breakers = new Map<number, CircuitBreaker>();

  return (zone) => {
    const { serverId } = zone;
    const database = databaseOf(zone);
    const gm = gmOf(zone);
    const gmUrl = zone.gmUrl ?? '';
    const breaker =
      breakers.get(serverId) ??
      circuitBreaker({
        breakAfter: BREAK_AFTER,
        pauseMs: PAUSE_MS,
        onChange: (isOpen) => onBreaker(serverId, isOpen),
      });
    breakers.set(serverId, breaker);

    async function read<T>(query: () => Promise<T>): Promise<T> {
      try {
        return await query();
      } catch (error) {
        log.warn({ err: error, server_id: serverId }, 'the game database could not be read');
        throw new Refusal('game_server_unavailable');
      }
    }

    async function receipt(order: string, trace?: Trace): Promise<Receipt> {
      const seconds = stopwatch();
      const found = await gm.receipt(gmUrl, serverId, order, trace);
      const why = found.kind === 'unreadable' ? found.why : '';
      onGmCall({ serverId, call: 'receipt', outcome: found.kind, why, seconds: seconds() });
      return found;
    }

    return {
      roles: (account) => read(() => database.rolesOf(account)),
      balance: (roleId) => read(() => database.roleById(roleId)),
      async deduct(deduction, mayStillSend, trace) {
        const seconds = stopwatch();
        const report = (outcome: GmCall['outcome'], why: string) =>
          onGmCall({ serverId, call: 'deduct', outcome, why, seconds: seconds() });
        const refuse = (why: string): DeductionResult => {
          report('rejected', why);
          return { kind: 'not_sent', why, exchange: { asked: {} } };
        };
        // No fault of the zone, unlike a connection that takes too long.
        if (!mayStillSend()) return refuse('it took too long to get here');
        const settle = breaker.admit();
        if (!settle) return refuse('this zone failed too often just now');
        try {
          const result = await gm.deduct(gmUrl, { ...deduction, serverId }, mayStillSend, trace);
          settle(result.kind !== 'unknown' && result.kind !== 'not_sent');
          report(result.kind, result.why);
          return result;
        } catch (error) {
          settle(false);
          report('unknown', String(error));
          return { kind: 'unknown', why: String(error), exchange: { asked: {} } };
        }
      },
      receipt: gm.offersReceipts ? receipt : undefined,
    };
  };
}

function stopwatch(): () => number {
  const started = performance.now();
  return () => (performance.now() - started) / 1000;
}

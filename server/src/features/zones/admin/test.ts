import { randomUUID } from 'node:crypto';
import type { ZoneCheck } from '@gatehouse/contract/admin';
import type { GameDatabase, GameRole } from '../../../integrations/game-database.ts';
import type { GmCommand } from '../../../integrations/gm-command.ts';
import type { Zone } from '../store.ts';

export interface TestParts {
  readonly zones: () => Promise<readonly Zone[]>;
  readonly databaseOf: (zone: Zone) => GameDatabase;
  readonly gm: GmCommand;
  /** How lazily the game saves balances, in seconds. */
  readonly saveInterval: number;
}

export interface ZoneTest {
  readonly serverId: number;
  /** A role to look at, by id or name. */
  readonly role?: string | undefined;
  /** What is really taken from the role, to see that it arrives. */
  readonly amount?: number | undefined;
}

/** Tells whether a zone fits the settings; undefined where there is none. Moves nothing, unless a role and an amount say so. */
export function testZone({ zones, databaseOf, gm, saveInterval }: TestParts) {
  return async ({ serverId, role, amount }: ZoneTest): Promise<ZoneCheck[] | undefined> => {
    const zone = (await zones()).find((each) => each.serverId === serverId);
    if (!zone) return undefined;
    const database = databaseOf(zone);
    const seen = await findRole(database, role ?? '0').catch((error: Error) => error);
    const checks = [
      ...databaseChecks(seen, role),
      zone.gmUrl
        ? await gmCheck(zone.gmUrl, serverId)
        : note('GM interface', 'failed', 'the zone has no gm_url'),
    ];
    if (amount === undefined) return checks;
    if (!seen || seen instanceof Error)
      return [...checks, note('deduction', 'skipped', 'no role to take it from')];
    return [...checks, ...(await deductionChecks(zone, database, seen, amount))];
  };

  async function gmCheck(gmUrl: string, serverId: number): Promise<ZoneCheck> {
    const check = 'GM interface';
    if (!gm.offersReceipts)
      return note(check, 'skipped', 'only a deduction would show it; try --role and --amount 1');
    const receipt = await gm.receipt(gmUrl, serverId, `test-${randomUUID()}`);
    if (receipt.kind === 'not_executed') return note(check, 'ok', 'answers, and gives receipts');
    return note(check, 'failed', receipt.kind === 'unreadable' ? receipt.why : 'receipt of nothing');
  }

  async function deductionChecks(
    { serverId, gmUrl }: Zone,
    database: GameDatabase,
    { roleId, name: roleName, balance }: GameRole,
    amount: number,
  ): Promise<ZoneCheck[]> {
    const order = `test-${randomUUID()}`.slice(0, 36);
    const taken = await gm.deduct(gmUrl ?? '', { order, serverId, roleId, roleName, amount }, () => true);
    const detail = `${taken.kind}: ${taken.why}; order ${order}`;
    const checks = [note('deduction', taken.kind === 'done' ? 'ok' : 'failed', detail)];
    if (gm.offersReceipts) {
      const receipt = await gm.receipt(gmUrl ?? '', serverId, order);
      const fits = receipt.kind === 'executed' && receipt.amount === amount;
      checks.push(note('receipt', fits ? 'ok' : 'failed', receipt.kind));
    }
    const after = await database.roleById(roleId);
    const isSaved = after?.balance === balance - amount;
    const waiting = `not saved yet; look again in ${saveInterval} s`;
    return [...checks, note('balance', isSaved ? 'ok' : 'skipped', isSaved ? `${after?.balance}` : waiting)];
  }
}

const note = (check: string, result: ZoneCheck['result'], detail: string): ZoneCheck => ({
  check,
  result,
  detail,
});

function databaseChecks(seen: GameRole | undefined | Error, role: string | undefined): ZoneCheck[] {
  if (seen instanceof Error) return [note('game database', 'failed', seen.message)];
  const found = note('game database', 'ok', 'table and columns are there');
  if (role === undefined) return [found];
  return [
    found,
    seen
      ? note('role', 'ok', `${seen.name}, balance ${seen.balance}`)
      : note('role', 'failed', `no role ${role}`),
  ];
}

/** A name that several roles have names none of them. */
async function findRole(database: GameDatabase, role: string): Promise<GameRole | undefined> {
  if (/^\d+$/.test(role)) return database.roleById(Number(role));
  const found = await database.rolesNamed(role);
  return found.length === 1 ? found[0] : undefined;
}

export type TestZone = ReturnType<typeof testZone>;

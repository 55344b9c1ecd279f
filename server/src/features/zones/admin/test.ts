import { randomUUID } from 'node:crypto';
import type { ZoneCheck } from '@gatehouse/contract/admin';
import type { GameDatabase, GameRole } from '../../../integrations/game-database.ts';
import type { GmCommand, GmCommands } from '../../../integrations/gm-command.ts';
import type { TcpCheck } from '../../../integrations/tcp-check.ts';
import { Refusal } from '../../../refusal.ts';
import type { Zone } from '../store.ts';

export interface TestDeps {
  readonly zones: () => Promise<readonly Zone[]>;
  readonly databaseOf: (zone: Zone) => GameDatabase;
  readonly gmOf: GmCommands;
  readonly tcpCheck: TcpCheck;
}

/** Checks whether a zone's game database can be read and its GM interface answers. Moves nothing. */
export function testZone({ zones, databaseOf, gmOf, tcpCheck }: TestDeps) {
  return async ({ serverId }: { readonly serverId: number }): Promise<ZoneCheck[]> => {
    const zone = (await zones()).find((each) => each.serverId === serverId);
    if (!zone) throw new Refusal('server_not_found');
    return [
      await databaseCheck(databaseOf(zone)),
      zone.gmUrl
        ? await gmCheck(gmOf(zone), zone.gmUrl, serverId)
        : note('GM interface', 'failed', 'the zone has no gm_url'),
    ];
  };

  async function gmCheck(gm: GmCommand, gmUrl: string, serverId: number): Promise<ZoneCheck> {
    const check = 'GM interface';
    if (!gm.offersReceipts) {
      const fault = await gmPortFault(tcpCheck, gmUrl);
      if (fault !== undefined) return note(check, 'failed', fault);
      return note(check, 'skipped', 'only a deduction can test this; try --role and --amount 1');
    }
    const receipt = await gm.receipt(gmUrl, serverId, `test-${randomUUID()}`);
    if (receipt.kind === 'not_executed') return note(check, 'ok', 'answers and gives receipts');
    return note(check, 'failed', receipt.kind === 'unreadable' ? receipt.why : 'receipt of nothing');
  }
}

/** Returns why nothing can be sent to a GM interface, or undefined if its port accepts connections. */
export async function gmPortFault(tcpCheck: TcpCheck, gmUrl: string): Promise<string | undefined> {
  const url = URL.parse(gmUrl);
  if (!url) return 'the zone has no usable gm_url';
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  return tcpCheck(url.hostname.replace(/^\[|\]$/g, ''), port);
}

const note = (check: string, result: ZoneCheck['result'], detail: string): ZoneCheck => ({
  check,
  result,
  detail,
});

async function databaseCheck(database: GameDatabase): Promise<ZoneCheck> {
  const check = 'game database';
  try {
    await findRole(database, '0');
    return note(check, 'ok', 'the table and its columns exist');
  } catch (error) {
    return note(check, 'failed', (error as Error).message);
  }
}

/** Finds a role by id or by name. An ambiguous name finds none. */
export async function findRole(database: GameDatabase, role: string): Promise<GameRole | undefined> {
  if (/^\d+$/.test(role)) return database.roleById(Number(role));
  const found = await database.rolesNamed(role);
  return found.length === 1 ? found[0] : undefined;
}

export type TestZone = ReturnType<typeof testZone>;

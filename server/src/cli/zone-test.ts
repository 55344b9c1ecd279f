import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { openZoneAdmin } from '../features/zones/admin/module.ts';
import type { Zone } from '../features/zones/store.ts';
import { type GameDatabase, type GameRole, gameDatabases } from '../integrations/game-database.ts';
import { gmCommand } from '../integrations/gm-command.ts';
import type { Settings } from '../settings/schema.ts';
import { listing, type Options, wholeNumber, withDatabase } from './context.ts';
import { print } from './output.ts';

interface TestOptions extends Options {
  readonly json?: boolean;
  readonly role?: string;
  readonly amount?: number;
}

interface Check {
  readonly check: string;
  readonly result: 'ok' | 'failed' | 'skipped';
  readonly detail: string;
}

/** Shows an operator whether a real zone fits the settings. Moves nothing, unless a role and an amount say so. */
export function zoneTest(): Command {
  return listing('test', 'try the game database and the GM interface of a zone, without moving money')
    .argument('<id>', 'server id', wholeNumber)
    .option('--role <role>', 'a role of yours to look at, by id or name')
    .option('--amount <amount>', 'really take this much from the role, and check it', wholeNumber)
    .action((serverId: number, options: TestOptions) =>
      withDatabase(options, async (db, settings) => {
        if (options.amount !== undefined && (options.role === undefined || options.amount < 1))
          throw new Error('--amount takes 1 or more, and needs --role');
        const zone = (await openZoneAdmin({ db }).list()).find((each) => each.serverId === serverId);
        if (!zone) throw new Error(`there is no zone ${serverId}`);
        const checks = await checkZone(zone, settings, options);
        print(
          checks.map((check) => ({ ...check })),
          options,
        );
        const failed = checks.filter(({ result }) => result === 'failed').length;
        if (failed > 0) throw new Error(`zone ${serverId}: ${failed} of ${checks.length} checks failed`);
      }),
    );
}

async function checkZone(zone: Zone, settings: Settings, { role, amount }: TestOptions): Promise<Check[]> {
  const database = gameDatabases(settings.zones)(zone);
  const gm = gmCommand(settings.gm);
  const gmUrl = zone.gmUrl ?? '';
  const checks: Check[] = [];
  const note = (check: string, result: Check['result'], detail: string) =>
    void checks.push({ check, result, detail });

  const seen = await findRole(database, role ?? '0').catch((error: Error) => error);
  if (seen instanceof Error) note('game database', 'failed', seen.message);
  else note('game database', 'ok', 'table and columns are there');
  if (role !== undefined && !(seen instanceof Error))
    note('role', seen ? 'ok' : 'failed', seen ? `${seen.name}, balance ${seen.balance}` : `no role ${role}`);

  if (!gmUrl) note('GM interface', 'failed', 'the zone has no gm_url');
  else if (gm.offersReceipts) {
    const receipt = await gm.receipt(gmUrl, zone.serverId, `test-${randomUUID()}`);
    if (receipt.kind === 'not_executed') note('GM interface', 'ok', 'answers, and gives receipts');
    else note('GM interface', 'failed', receipt.kind === 'unreadable' ? receipt.why : 'receipt of nothing');
  } else note('GM interface', 'skipped', 'only a deduction would show it; try --role and --amount 1');

  if (amount === undefined) return checks;
  if (!seen || seen instanceof Error) {
    note('deduction', 'skipped', 'no role to take it from');
    return checks;
  }
  const order = `test-${randomUUID()}`.slice(0, 36);
  const deduction = { order, serverId: zone.serverId, roleId: seen.roleId, roleName: seen.name, amount };
  const taken = await gm.deduct(gmUrl, deduction, () => true);
  note('deduction', taken.kind === 'done' ? 'ok' : 'failed', `${taken.kind}: ${taken.why}; order ${order}`);
  if (gm.offersReceipts) {
    const receipt = await gm.receipt(gmUrl, zone.serverId, order);
    const fits = receipt.kind === 'executed' && receipt.amount === amount;
    note('receipt', fits ? 'ok' : 'failed', receipt.kind);
  }
  const after = await database.roleById(seen.roleId);
  const isSaved = after?.balance === seen.balance - amount;
  note('balance', isSaved ? 'ok' : 'skipped', isSaved ? `${after?.balance}` : waiting(settings));
  return checks;
}

/** A name that several roles have names none of them. */
async function findRole(database: GameDatabase, role: string): Promise<GameRole | undefined> {
  if (/^\d+$/.test(role)) return database.roleById(Number(role));
  const found = await database.rolesNamed(role);
  return found.length === 1 ? found[0] : undefined;
}

const waiting = ({ zones }: Settings) => `not saved yet; look again in ${zones.save_interval} s`;

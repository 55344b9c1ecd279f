import type { GameDatabase, GameRole } from '../../../integrations/game-database.ts';
import type { GmCommands } from '../../../integrations/gm-command.ts';
import type { TcpCheck } from '../../../integrations/tcp-check.ts';
import { findRole, gmPortFault } from '../../zones/admin/test.ts';
import type { Zone } from '../../zones/store.ts';
import { type Line, lineOf } from '../line.ts';
import { deductionLines, deductionsSkipped } from './deduction-lines.ts';
import { type GmSession, gmSession, newOrder, noReceipt, shownOf } from './gm-answers.ts';

export interface GameDeps {
  readonly databaseOf: (zone: Zone) => GameDatabase;
  readonly gmOf: GmCommands;
  readonly tcpCheck: TcpCheck;
  /** Same, but signed with a wrong key; undefined if commands are not signed. */
  readonly wronglySigned: GmCommands | undefined;
  /** Response timeout in seconds. */
  readonly timeout: number;
  /** How often the game saves balances, in seconds. */
  readonly saveInterval: number;
  readonly clock: () => number;
}

export interface GameTest {
  /** A role to test with, by id or name. */
  readonly role?: string | undefined;
  /** Amount that is actually deducted from the role. */
  readonly amount?: number | undefined;
  /** Also runs checks that take more than the amount if the game is faulty. */
  readonly full?: boolean | undefined;
}

/** Tests the game database and the GM interface. Deducts nothing unless a role and an amount are given. */
export async function gameLines(deps: GameDeps, zone: Zone, test: GameTest): Promise<Line[]> {
  const database = deps.databaseOf(zone);
  const seen = await findRole(database, test.role ?? '0').catch((error: Error) => error);
  const lines = [databaseLine(seen), roleLine(seen, test.role)];
  if (!zone.gmUrl) {
    const { serverId } = zone;
    lines.push(lineOf('game', 'GM interface')('failed', 'gm.no_url', { server_id: serverId }));
    return [...lines, ...deductionsSkipped('gm.failed_before')];
  }
  const session = gmSession({ ...deps, gm: deps.gmOf(zone), gmUrl: zone.gmUrl, serverId: zone.serverId });
  const answers = await interfaceLine(session, deps, zone.gmUrl);
  lines.push(answers);
  if (answers.result === 'failed') return [...lines, ...deductionsSkipped('gm.failed_before')];
  lines.push(await signatureLine(deps, { ...zone, gmUrl: zone.gmUrl }));
  const role = seen instanceof Error ? undefined : seen;
  lines.push(...(await deductionLines({ ...deps, database, session }, { ...test, role })));
  return [...lines, timeLine(session, deps.timeout)];
}

function databaseLine(seen: GameRole | undefined | Error): Line {
  const judge = lineOf('game', 'game database');
  if (seen instanceof Error) return judge('failed', 'database.unread', { why: seen.message });
  return judge('ok', 'database.read');
}

function roleLine(seen: GameRole | undefined | Error, role: string | undefined): Line {
  const judge = lineOf('game', 'role');
  if (role === undefined) return judge('skipped', 'role.not_named');
  if (seen instanceof Error) return judge('skipped', 'role.unread');
  if (!seen) return judge('failed', 'role.missing', { role });
  return judge('ok', 'role.found', { name: seen.name, balance: seen.balance });
}

/** The receipt of an order that never existed shows whether the game answers, and moves no currency. */
async function interfaceLine(
  session: GmSession,
  { timeout, tcpCheck }: GameDeps,
  gmUrl: string,
): Promise<Line> {
  const judge = lineOf('game', 'GM interface');
  if (!session.offersReceipts) {
    const why = await gmPortFault(tcpCheck, gmUrl);
    return why === undefined ? judge('skipped', 'gm.no_receipts') : judge('failed', 'gm.not_sent', { why });
  }
  const receipt = await session.receipt(newOrder());
  const shown = shownOf(receipt.exchange);
  if (receipt.kind === 'not_executed') return judge('ok', 'gm.answers', {}, shown);
  if (receipt.kind === 'executed') return judge('failed', 'gm.receipt_of_nothing', {}, shown);
  return noReceipt(judge, receipt, timeout);
}

async function signatureLine(
  { wronglySigned }: GameDeps,
  zone: Zone & { readonly gmUrl: string },
): Promise<Line> {
  const judge = lineOf('game', 'GM signature');
  if (!wronglySigned) return judge('skipped', 'sign.no_key');
  const gm = wronglySigned(zone);
  if (!gm.offersReceipts) return judge('skipped', 'sign.untold');
  const receipt = await gm.receipt(zone.gmUrl, zone.serverId, newOrder());
  const shown = shownOf(receipt.exchange);
  if (receipt.kind === 'unreadable') return judge('ok', 'sign.checked', {}, shown);
  return judge('failed', 'sign.ignored', {}, shown);
}

function timeLine(session: GmSession, timeout: number): Line {
  const judge = lineOf('game', 'answer time');
  const slowest = session.slowest();
  if (slowest === undefined) return judge('skipped', 'time.none');
  if (slowest > (timeout * 1000) / 2) return judge('failed', 'time.slow', { slowest, timeout });
  return judge('ok', 'time.good', { slowest, timeout });
}

import type { GameDatabase, GameRole } from '../../../integrations/game-database.ts';
import type { DeductionResult } from '../../../integrations/gm-command.ts';
import { type Line, lineOf } from '../line.ts';
import { failedToAnswer, type GmSession, newOrder, shownOf } from './gm-answers.ts';

interface RefusalParts {
  readonly database: GameDatabase;
  readonly session: GmSession;
  readonly timeout: number;
}

const NOBODY = 'gatehouse-conformance';
/** The highest id that fits 32 bits. */
const HIGHEST_ID = 2_147_483_647;
/** So far above the last saved balance that it cannot have been earned since. */
const FAR_BEYOND = 1_000_000_000;

/** Sends a deduction for a role that does not exist. */
export async function unknownRoleLine({ database, session, timeout }: RefusalParts): Promise<Line> {
  const judge = lineOf('game', 'unknown role');
  let roleId = HIGHEST_ID;
  while (await database.roleById(roleId)) roleId--;
  const order = newOrder();
  const result = await session.deduct({ order, roleId, roleName: NOBODY, amount: 1 });
  const shown = shownOf(result.exchange);
  if (result.kind === 'refused') return judge('ok', 'refusal.refused', { why: result.why }, shown);
  if (result.kind === 'done')
    return judge('failed', 'refusal.unknown_role_taken', { role: roleId, order }, shown);
  return failedToAnswer(judge, result, timeout, order);
}

interface FirstOrder {
  readonly order: string;
  readonly role: GameRole;
  readonly amount: number;
}

/** Sends the same order twice. Gatehouse never does, but a proxy or an operator may. */
export async function sameOrderLine(
  { session, timeout }: RefusalParts,
  first: DeductionResult,
  { order, role, amount }: FirstOrder,
): Promise<Line> {
  const judge = lineOf('game', 'same order');
  const again = await session.deduct({ order, roleId: role.roleId, roleName: role.name, amount });
  const shown = shownOf(again.exchange);
  if (again.kind === 'refused') return judge('ok', 'same.once', { order }, shown);
  if (again.kind !== 'done') return failedToAnswer(judge, again, timeout, order);
  const total = session.offersReceipts ? await session.receipt(order) : undefined;
  const isOnce =
    total?.kind === 'executed'
      ? total.amount === amount
      : first.balance !== undefined && again.balance !== undefined
        ? first.balance === again.balance
        : undefined;
  if (isOnce === undefined) return judge('failed', 'same.untold', { order }, shown);
  return isOnce
    ? judge('ok', 'same.once', { order }, shown)
    : judge('failed', 'same.twice', { order, amount }, shown);
}

export async function tooMuchLine({ session, timeout }: RefusalParts, role: GameRole): Promise<Line> {
  const judge = lineOf('game', 'too much');
  const { roleId, name: roleName, balance } = role;
  const order = newOrder();
  const amount = balance + FAR_BEYOND;
  const result = await session.deduct({ order, roleId, roleName, amount });
  const shown = shownOf(result.exchange);
  if (result.kind === 'refused') return judge('ok', 'refusal.refused', { why: result.why }, shown);
  if (result.kind === 'done')
    return judge('failed', 'refusal.too_much_taken', { amount, balance, order }, shown);
  return failedToAnswer(judge, result, timeout, order);
}

import type { GameDatabase, GameRole } from '../../../integrations/game-database.ts';
import type { DeductionResult } from '../../../integrations/gm-command.ts';
import { type Line, lineOf, skipped } from '../line.ts';
import type { Check, Reason } from '../texts/index.ts';
import { failedToAnswer, type GmSession, newOrder, noReceipt, shownOf } from './gm-answers.ts';

interface DeductionDeps {
  readonly database: GameDatabase;
  readonly session: GmSession;
  readonly timeout: number;
  readonly saveInterval: number;
}

const CHECKS = [
  'unknown role',
  'deduction',
  'receipt',
  'balance',
  'same order',
  'too much',
] as const satisfies readonly Check[];

export const deductionsSkipped = (reason: Reason, checks: readonly Check[] = CHECKS): Line[] =>
  skipped('game', checks, reason);

/** Deducts the amount from the role once, and checks the game's response to commands it must refuse. */
export async function deductionLines(
  deps: DeductionDeps,
  test: { role: GameRole | undefined; amount?: number | undefined; full?: boolean | undefined },
): Promise<Line[]> {
  const { role, amount, full = false } = test;
  if (amount === undefined) return deductionsSkipped('deduction.not_asked');
  if (!role) return deductionsSkipped('deduction.no_role');
  const order = newOrder();
  const refused = await unknownRoleLine(deps);
  const taken = await deps.session.deduct({ order, roleId: role.roleId, roleName: role.name, amount });
  const lines = [
    refused,
    deductionLine(deps, taken, { order, role }),
    await receiptLine(deps, taken, { order, amount }),
  ];
  // Send no further command until the outcome of the first is known.
  if (taken.kind !== 'done')
    return [...lines, ...deductionsSkipped('deduction.open', ['balance', 'same order', 'too much'])];
  lines.push(await balanceLine(deps, role, amount));
  if (!full) return [...lines, ...deductionsSkipped('deduction.beyond', ['same order', 'too much'])];
  return [...lines, await sameOrderLine(deps, taken, { order, role, amount }), await tooMuchLine(deps, role)];
}

function deductionLine(
  { timeout }: DeductionDeps,
  taken: DeductionResult,
  { order, role }: { readonly order: string; readonly role: GameRole },
): Line {
  const judge = lineOf('game', 'deduction');
  const { kind, why } = taken;
  const params = { why, order, balance: role.balance };
  if (kind === 'done') return judge('ok', 'deduction.done', params, shownOf(taken.exchange));
  if (kind === 'refused') return judge('failed', 'deduction.refused', params, shownOf(taken.exchange));
  return failedToAnswer(judge, taken, timeout, order);
}

/** Checks that the receipt does not contradict the answer. If there was no answer, any receipt passes. */
async function receiptLine(
  { session, timeout }: DeductionDeps,
  taken: DeductionResult,
  { order, amount }: { readonly order: string; readonly amount: number },
): Promise<Line> {
  const judge = lineOf('game', 'receipt');
  if (!session.offersReceipts) return judge('skipped', 'receipt.none');
  const receipt = await session.receipt(order);
  const shown = shownOf(receipt.exchange);
  if (receipt.kind === 'unreadable') return noReceipt(judge, receipt, timeout);
  const isExecuted = receipt.kind === 'executed';
  const fits = isExecuted ? taken.kind !== 'refused' && receipt.amount === amount : taken.kind !== 'done';
  if (fits && isExecuted) return judge('ok', 'receipt.right', { amount }, shown);
  if (fits) return judge('ok', 'receipt.nothing', {}, shown);
  const said = isExecuted ? `executed, ${receipt.amount}` : 'not executed';
  const expected = taken.kind === 'done' ? `executed, ${amount}` : taken.kind;
  return judge('failed', 'receipt.wrong', { said, expected, order }, shown);
}

async function balanceLine(
  { database, saveInterval }: DeductionDeps,
  { roleId, balance }: GameRole,
  amount: number,
): Promise<Line> {
  const judge = lineOf('game', 'balance');
  const after = await database.roleById(roleId);
  if (after?.balance === balance - amount) return judge('ok', 'balance.saved', { balance: after.balance });
  return judge('skipped', 'balance.waiting', { seconds: saveInterval });
}

const NOBODY = 'gatehouse-conformance';
/** The highest id that fits 32 bits. */
const HIGHEST_ID = 2_147_483_647;
/** So far above the last saved balance that it cannot have been earned since. */
const FAR_BEYOND = 1_000_000_000;

/** Sends a deduction for a role that does not exist. */
async function unknownRoleLine({ database, session, timeout }: DeductionDeps): Promise<Line> {
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

/** Sends the same order twice. Gatehouse never does, but a proxy or an operator may. */
async function sameOrderLine(
  { session, timeout }: DeductionDeps,
  first: DeductionResult,
  { order, role, amount }: { readonly order: string; readonly role: GameRole; readonly amount: number },
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

async function tooMuchLine({ session, timeout }: DeductionDeps, role: GameRole): Promise<Line> {
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

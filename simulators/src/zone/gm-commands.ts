import { verifyGmCommand } from '@gatehouse/client/server';
import { deductOperation, type Fault } from './faults.ts';
import type { DeductionRequest, JournalEntry, Ledger } from './ledger.ts';
import { type Refusal, refusals } from './refusals.ts';

/** The answer to an order that was already executed; old GM servers deduct again. */
export type DuplicatePolicy = 'deduct_again' | 'refuse' | 'same_answer';

export type GmRules = {
  serverId: number;
  key?: string;
  signatureVersion: 1 | 2;
  receipts: boolean;
  duplicates: DuplicatePolicy;
};

export type GmParams = Readonly<Record<string, string>>;
export type GmAnswer = { result: number; msg: string } & Record<string, unknown>;
export type GmCommands = ReturnType<typeof gmCommands>;

const receiptOperation = '10031';

type Command =
  | { kind: 'deduct'; request: DeductionRequest }
  | { kind: 'receipt'; order: string }
  | { kind: 'refused'; refusal: Refusal };

export const refuse = (refusal: Refusal): GmAnswer => ({ ...refusals[refusal] });

export function gmCommands({ ledger, rules }: { ledger: Ledger; rules: GmRules }) {
  function read(params: GmParams, fault: Fault): Command {
    if (rules.key !== undefined && !isSigned(params, rules.key, rules.signatureVersion))
      return refused('bad_sign');
    if (params.operid === deductOperation) return readDeduction(params, fault);
    if (params.operid === receiptOperation && rules.receipts)
      return { kind: 'receipt', order: params.order ?? '' };
    return refused('unknown_operation');
  }

  function readDeduction(params: GmParams, fault: Fault): Command {
    if (params.serverid !== String(rules.serverId)) return refused('wrong_server');
    const roleId = positiveWhole(params.roleid);
    if (roleId === undefined) return refused('unknown_role');
    const amount = positiveWhole(params.amount);
    if (amount === undefined) return refused('bad_amount');
    const request = { order: params.order ?? '', roleId, roleName: params.rolename ?? '', amount, fault };
    return { kind: 'deduct', request };
  }

  async function deduct(request: DeductionRequest): Promise<GmAnswer> {
    const [earlier] = request.order === '' ? [] : ledger.executed(request.order);
    if (earlier && rules.duplicates !== 'deduct_again') return answerDuplicate(request, earlier);
    return answerTo(await ledger.deduct(request));
  }

  async function answerDuplicate(request: DeductionRequest, earlier: JournalEntry): Promise<GmAnswer> {
    const sameRequest = earlier.roleId === request.roleId && earlier.amount === request.amount;
    if (rules.duplicates === 'same_answer' && sameRequest) {
      await ledger.recordUnexecuted(request);
      return answerTo(earlier);
    }
    return answerTo(await ledger.recordUnexecuted(request, 'duplicate_order'));
  }

  function receiptOf(order: string): GmAnswer {
    const taken = ledger.executed(order);
    const amount = taken.reduce((sum, entry) => sum + entry.amount, 0);
    return { result: 0, msg: 'ok', order, executed: taken.length > 0, amount };
  }

  return {
    async execute(params: GmParams, fault: Fault): Promise<GmAnswer> {
      const command = read(params, fault);
      if (command.kind === 'refused') return refuse(command.refusal);
      if (command.kind === 'receipt') return receiptOf(command.order);
      return deduct(command.request);
    },

    /** Journals a request that a fault stops before execution. */
    async recordUnexecuted(params: GmParams, fault: Fault): Promise<void> {
      const command = read(params, fault);
      if (command.kind === 'deduct') await ledger.recordUnexecuted(command.request);
    },
  };
}

function isSigned(params: GmParams, key: string, version: 1 | 2): boolean {
  try {
    verifyGmCommand(new URLSearchParams(params), key, { version });
    return true;
  } catch {
    return false;
  }
}

function answerTo(entry: JournalEntry): GmAnswer {
  if (entry.refusal) return refuse(entry.refusal);
  return { result: 0, msg: 'ok', balance: entry.balance, order: entry.order };
}

const refused = (refusal: Refusal): Command => ({ kind: 'refused', refusal });

function positiveWhole(text: string | undefined): number | undefined {
  if (text === undefined || !/^[1-9]\d{0,15}$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

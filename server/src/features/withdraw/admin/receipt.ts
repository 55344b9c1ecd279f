import type { Receipt } from '../../../integrations/gm-command.ts';
import { type Actor, changes } from '../../audit/entry.ts';
import { receiptProof, settlingMove } from '../recovery/settle-unknown.ts';
import { ConditionFailed } from '../store/record-store.ts';
import type { Move } from '../store/store.ts';
import { type Withdrawal, withAddressesOf } from '../withdrawal.ts';
import { type OperatorsWithdrawal, requireUnknown, type WithdrawAdminDeps } from './repoint.ts';

export interface ReceiptFound {
  readonly state: Withdrawal['state'];
  /** Undefined if the zone has no receipts. */
  readonly receipt: Receipt | undefined;
  readonly why: string;
  /** Null if the receipt proves nothing. */
  readonly auditId: string | null;
}

/** Requests the receipt of an unknown withdrawal from its zone, and settles the withdrawal if the receipt is proof. */
export function askReceipt(deps: WithdrawAdminDeps) {
  const { settling, drivers, zones, settings, moved } = deps;
  const move = auditedMove(deps);

  return async (actor: Actor, wanted: OperatorsWithdrawal): Promise<ReceiptFound> => {
    const { withdrawal, now } = requireUnknown(await settling.read(wanted.id), wanted);
    const { id, serverId, updatedAt } = withdrawal;
    const zone = (await zones()).find((each) => each.serverId === serverId);
    const ask = zone && drivers(withAddressesOf(withdrawal, zone)).receipt;
    const nothing = { state: withdrawal.state, auditId: null };
    if (!ask) return { ...nothing, receipt: undefined, why: 'the zone gives no receipts' };

    const receipt = await ask(id, { requestId: actor.requestId });
    const proof = receiptProof(receipt, withdrawal, { settings: settings.current, ageMs: now - updatedAt });
    if (typeof proof === 'string') return { ...nothing, receipt, why: proof };
    const order = { ...settlingMove(proof), action: 'withdraw.receipt', reason: proof.why } as const;
    const auditId = await move(actor, withdrawal, order);
    if (auditId === undefined) {
      requireUnknown(await settling.read(id), wanted);
      return { ...nothing, receipt, why: 'it was changed meanwhile; ask again' };
    }
    moved(proof.to);
    return { state: proof.to, receipt, why: proof.why, auditId };
  };
}

export interface AuditedMove extends Omit<Move, 'actor'> {
  readonly action: 'withdraw.receipt' | 'withdraw.restored';
  readonly reason: string;
}

/**
 * Applies an operator's state transition with its audit row and returns the row's id, or undefined if the state has changed
 * meanwhile.
 */
export function auditedMove({ store, audit }: Pick<WithdrawAdminDeps, 'store' | 'audit'>) {
  return async (actor: Actor, withdrawal: Withdrawal, order: AuditedMove): Promise<string | undefined> => {
    const { action, reason, ...move } = order;
    const { id, serverId } = withdrawal;
    const from = { state: move.from, result_code: withdrawal.resultCode };
    const to = { state: move.to, result_code: move.resultCode ?? withdrawal.resultCode };
    try {
      return await audit.transaction(actor, async (trx, append) => {
        await store.moveWithin(trx, withdrawal, { ...move, actor: `operator:${actor.name}` });
        return append({
          action,
          subject: { kind: 'withdraw', id },
          serverId,
          reason,
          ...changes(from, to),
        });
      });
    } catch (error) {
      if (error instanceof ConditionFailed) return undefined;
      throw error;
    }
  };
}

import { Refusal } from '../../../refusal.ts';
import type { LiveSettings } from '../../../settings/live.ts';
import { changes } from '../../audit/changes.ts';
import type { Actor, AuditEntry } from '../../audit/entry.ts';
import type { AuditStore } from '../../audit/store.ts';
import type { SettleStore } from '../store/settle-store.ts';
import type { Proposal, SettledState, Withdrawal } from '../withdrawal.ts';
import { type OperatorsWithdrawal, requireUnknown } from './require-unknown.ts';
import { personOf, refuseSamePerson, takesTwoPeople } from './two-people.ts';

export interface SettleParts {
  readonly settling: SettleStore;
  readonly audit: Pick<AuditStore, 'transaction' | 'accessGiven'>;
  readonly settings: LiveSettings;
  readonly moved: (state: Withdrawal['state']) => void;
}

export interface Settlement extends OperatorsWithdrawal {
  readonly state: SettledState;
  readonly reason: string;
}

/** Settled, or stored as a proposal until a second operator confirms it. */
export interface SettleOutcome {
  readonly state: SettledState | 'unknown';
  readonly proposed: Proposal | null;
  readonly auditId: string;
}

/** Settles an unknown withdrawal once, with a reason that stays in the database. Large ones need two operators. */
export function settleWithdrawal({ settling, audit, settings, moved }: SettleParts) {
  return async (actor: Actor, order: Settlement): Promise<SettleOutcome> => {
    const { state, reason } = order;

    const { replaces, ...outcome } = await audit.transaction(async (trx, append) => {
      const { withdrawal, now } = requireUnknown(await settling.read(order.id, trx), order);
      const { proposed } = withdrawal;
      const entryOf = (action: AuditEntry['action'], to: object): AuditEntry => ({
        actor,
        action,
        subject: { kind: 'withdraw', id: withdrawal.id },
        serverId: withdrawal.serverId,
        reason,
        ...changes(recordOf(withdrawal), to),
      });

      async function settle() {
        const resultCode = state === 'failed' ? 'deduction_refused' : undefined;
        await settling.settle(trx, withdrawal, {
          to: state,
          why: 'resolved by an operator',
          actor: eventActor(actor),
          detail: { reason, ...(proposed && { proposed_by: proposed.by }) },
          resultCode,
        });
        const { resultCode: before } = withdrawal;
        const after = { state, result_code: resultCode ?? before, proposed_state: null, proposed_by: null };
        return { state, proposed: null, auditId: await append(entryOf('withdraw.settle', after)) };
      }

      async function propose() {
        const proposal = { state, by: personOf(actor), via: actor.via, at: now };
        await settling.propose(trx, withdrawal, proposal, { actor: eventActor(actor), detail: { reason } });
        const after = { proposed_state: state, proposed_by: proposal.by };
        const auditId = await append(entryOf('withdraw.propose', after));
        return { state: 'unknown' as const, proposed: proposal, auditId, replaces: proposed !== null };
      }

      if (!takesTwoPeople(settings.current, withdrawal)) return { ...(await settle()), replaces: false };
      if (actor.via === 'key') throw new Refusal('permission_denied', { variant: 'two_people' });
      if (proposed?.state !== state) return propose();
      await refuseSamePerson(proposed, actor, (name) => audit.accessGiven(trx, name));
      return { ...(await settle()), replaces: false };
    });

    // After the commit: the new proposal is stored, but does not settle the withdrawal yet.
    if (replaces) throw new Refusal('second_person_required', { variant: 'replaced' });
    if (outcome.state !== 'unknown') moved(outcome.state);
    return outcome;
  };
}

const eventActor = ({ name }: Actor) => `operator:${name}`;

const recordOf = ({ state, resultCode, proposed }: Withdrawal) => ({
  state: state as string,
  result_code: resultCode as string | null,
  proposed_state: proposed?.state ?? null,
  proposed_by: proposed?.by ?? null,
});

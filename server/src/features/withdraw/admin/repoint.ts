import { maskUrl } from '../../../security/mask-url.ts';
import type { Actor } from '../../audit/entry.ts';
import type { AuditStore } from '../../audit/store.ts';
import type { SettleStore } from '../store/settle-store.ts';
import { type OperatorsWithdrawal, requireUnknown } from './require-unknown.ts';

export interface RepointParts {
  readonly settling: Pick<SettleStore, 'read' | 'repoint'>;
  readonly audit: Pick<AuditStore, 'transaction'>;
}

export interface Repointing extends OperatorsWithdrawal {
  readonly gmUrl: string;
  readonly reason: string;
}

/** Changes the GM interface that is queried for an unknown withdrawal's receipt. Returns the id of the audit row. */
export function repointWithdrawal({ settling, audit }: RepointParts) {
  return (actor: Actor, { gmUrl, reason, ...wanted }: Repointing): Promise<string> =>
    audit.transaction(async (trx, append) => {
      const { withdrawal } = requireUnknown(await settling.read(wanted.id, trx), wanted);
      const { id, serverId } = withdrawal;
      const before = { gm_url: withdrawal.gmUrl && maskUrl(withdrawal.gmUrl) };
      const after = { gm_url: maskUrl(gmUrl) };
      await settling.repoint(trx, withdrawal, gmUrl, {
        actor: `operator:${actor.name}`,
        detail: { ...after, reason },
      });
      const subject = { kind: 'withdraw', id };
      return append({ actor, action: 'withdraw.repoint', subject, serverId, reason, before, after });
    });
}

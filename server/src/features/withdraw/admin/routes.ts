import { adminRoutes, type ListedWithdrawal, type WithdrawDetail } from '@gatehouse/contract/admin';
import type { FastifyInstance } from 'fastify';
import { answered, mount } from '../../../http/mount.ts';
import { mountList } from '../../../http/mount-list.ts';
import { type OperatorIdentity, refuseOtherZone } from '../../../http/operator.ts';
import { Refusal } from '../../../refusal.ts';
import { parseTime, timeText } from '../../../runtime/time.ts';
import { maskEmail, maskUrl } from '../../../security/masking.ts';
import type { Proposal } from '../withdrawal.ts';
import type { WithdrawAdmin } from './module.ts';
import type { ReceiptFound } from './receipt.ts';
import type { ListedRecord, ShownEvent, ShownWithdrawal } from './show.ts';

export function withdrawAdminRoutes(app: FastifyInstance, withdrawals: WithdrawAdmin): void {
  mountList(app, adminRoutes.listWithdrawals, {
    plural: 'withdrawals',
    shape: ['number', 'string'],
    find({ query, operator }, { limit, after }) {
      const { state, server_id, player_id: playerId, from, to } = query;
      const filter = {
        states: state && [state],
        zones: zonesOf(operator, server_id),
        playerId,
        from: parseTime(from),
        to: parseTime(to),
      };
      return withdrawals.list(filter, { limit, after: after && { createdAt: after[0], id: after[1] } });
    },
    positionOf: ({ createdAt, id }) => [createdAt, id],
    shown: listed,
    recordExport({ query, operator }) {
      zonesOf(operator, query.server_id);
      const { limit: _limit, cursor: _cursor, ...filter } = query;
      return withdrawals.recordExport(operator.actor, 'withdrawals', filter);
    },
  });
  mount(app, adminRoutes.showWithdrawal, async ({ params, operator }) => {
    const shown = await withdrawals.show({ ...params, zones: operator.zones });
    return detailOf(shown, operator.permissions);
  });
  mount(app, adminRoutes.withdrawBalance, async ({ params, operator }) => ({
    balance: await withdrawals.balance({ ...params, zones: operator.zones }),
    at: timeText(Date.now()),
  }));
  mount(app, adminRoutes.playerRoles, async ({ params, operator }) => {
    const { roles, unavailable } = await withdrawals.rolesOf(params.player_id, operator.zones);
    return {
      roles: roles.map(({ serverId, roleId, ...role }) => ({
        server_id: serverId,
        role_id: roleId,
        ...role,
      })),
      unavailable,
    };
  });
  mount(app, adminRoutes.settleWithdrawal, async ({ params, body, operator }) => {
    const order = { ...params, ...body, zones: operator.zones };
    const { state, proposed, auditId } = await withdrawals.settle(operator.actor, order);
    const answer = { state, proposed: proposalOf(proposed), audit_id: auditId };
    return answered(state === 'unknown' ? 202 : 200, answer);
  });
  mount(app, adminRoutes.withdrawReceipt, async ({ params, operator }) =>
    receiptOf(await withdrawals.receipt(operator.actor, { ...params, zones: operator.zones })),
  );
  mount(app, adminRoutes.repointWithdrawal, async ({ params, body, operator }) => {
    const isAdministrator = operator.role === 'admin' && operator.zones === null;
    if (!isAdministrator || operator.session === undefined) throw new Refusal('permission_denied');
    const { gm_url: gmUrl, reason } = body;
    const order = { ...params, zones: operator.zones, gmUrl, reason };
    const auditId = await withdrawals.repoint(operator.actor, order);
    return { gm_url: maskUrl(gmUrl), audit_id: auditId };
  });
  mount(app, adminRoutes.reconciliation, async ({ query, operator }) => {
    const lines = await withdrawals.nightly({ ...query, zones: operator.zones });
    return { zones: lines.map(({ at, ...line }) => ({ ...line, reconciled_at: timeText(at) })) };
  });
}

/** Returns the requested zone, or all zones that the operator may see. */
function zonesOf(operator: OperatorIdentity, serverId: number | undefined): readonly number[] | null {
  if (serverId === undefined) return operator.zones;
  refuseOtherZone(operator, serverId);
  return [serverId];
}

const proposalOf = (proposed: Proposal | null) =>
  proposed && { state: proposed.state, by: proposed.by, at: timeText(proposed.at) };

function listed(withdrawal: ListedRecord): ListedWithdrawal {
  return {
    id: withdrawal.id,
    state: withdrawal.state,
    server_id: withdrawal.serverId,
    player_id: withdrawal.playerId,
    account: withdrawal.account,
    role: withdrawal.roleName ?? String(withdrawal.role),
    role_id: withdrawal.roleId,
    amount: withdrawal.amount,
    result_code: withdrawal.resultCode,
    balance_before: withdrawal.balanceBefore,
    balance_after: withdrawal.balanceAfter,
    proposed: proposalOf(withdrawal.proposed),
    created_at: timeText(withdrawal.createdAt),
    updated_at: timeText(withdrawal.updatedAt),
  };
}

function detailOf(shown: ShownWithdrawal, permissions: OperatorIdentity['permissions']): WithdrawDetail {
  const { owner, gmAnswer, receipt } = shown;
  // The server at the zone's gm_url decides what an answer contains, so only operators with one of these permissions see it.
  const seesAnswers = permissions.has('withdrawals.settle') || permissions.has('system.read');
  const exchangeIn = ({ at, why, detail }: ShownEvent) => {
    const { status, answer } = exchangeOf(detail);
    return { at: timeText(at), why, status, answer: seesAnswers ? answer : null };
  };
  return {
    ...listed(shown.withdrawal),
    two_person: shown.twoPeople,
    player: owner
      ? {
          player_id: owner.playerId,
          account: owner.account,
          email: permissions.has('personal') ? owner.email : maskEmail(owner.email),
          status: owner.status,
        }
      : null,
    gm_url: shown.withdrawal.gmUrl && maskUrl(shown.withdrawal.gmUrl),
    gm_answer: gmAnswer ? exchangeIn(gmAnswer) : null,
    receipt: receipt ? exchangeIn(receipt) : null,
    role_withdrawals: shown.ofSameRole.map(listed),
    events: shown.events.map((event) => eventOf(seesAnswers ? event : withoutAnswer(event))),
  };
}

function withoutAnswer(event: ShownEvent): ShownEvent {
  if (typeof event.detail !== 'object' || event.detail === null) return event;
  const { answer: _, ...detail } = event.detail as { answer?: unknown };
  return { ...event, detail };
}

const eventOf = ({ seq, at, from, to, why, actor, detail }: ShownEvent) => ({
  seq,
  at: timeText(at),
  from_state: from,
  to_state: to,
  why,
  actor,
  detail,
});

/** Returns what the game server answered in an exchange. */
function exchangeOf(exchange: unknown): { status: number | null; answer: string | null } {
  const { status, answer } = (exchange ?? {}) as { status?: number; answer?: string };
  return { status: status ?? null, answer: answer ?? null };
}

function receiptOf({ state, receipt, why, auditId }: ReceiptFound) {
  const amount = receipt?.kind === 'executed' ? receipt.amount : null;
  return {
    state,
    receipt: receipt ? { kind: receipt.kind, amount, ...exchangeOf(receipt.exchange) } : null,
    why,
    audit_id: auditId,
  };
}

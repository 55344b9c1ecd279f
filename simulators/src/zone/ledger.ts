import type { Fault } from './faults.ts';
import type { Refusal } from './refusals.ts';

export type Role = {
  id: number;
  account: string;
  name: string;
  /** The zone in which the role was created; differs from this one after a merge. */
  origin: number;
  level: number;
  job: number;
  sex: number;
  balance: number;
  createdAt: number;
};

export type DeductionRequest = {
  order: string;
  roleId: number;
  roleName: string;
  amount: number;
  fault: Fault;
};

/** A requested deduction and its outcome. `balance` is the live one afterwards. */
export type JournalEntry = {
  order: string;
  roleId: number;
  amount: number;
  deducted: boolean;
  balance: number | null;
  at: number;
  fault: Fault;
  refusal?: Refusal;
};

export type LedgerEvent =
  | { event: 'role'; at: number; role: Role }
  | { event: 'leave'; at: number; roleId: number }
  | { event: 'balance'; at: number; roleId: number; balance: number }
  | { event: 'deduct'; entry: JournalEntry };

export type Ledger = ReturnType<typeof openLedger>;

/**
 * The live state of the zone. A change is applied synchronously, so concurrent requests cannot spend the same currency; its
 * promise resolves when the journal has it.
 */
export function openLedger(parts: {
  serverId: number;
  events: LedgerEvent[];
  append: (event: LedgerEvent) => Promise<void>;
}) {
  const roles = new Map<number, Role>();
  const entries: JournalEntry[] = [];
  const deductionsByOrder = new Map<string, JournalEntry[]>();
  const unsaved = new Set<number>();

  function apply(event: LedgerEvent) {
    if (event.event === 'role') {
      // Older journals, and rows inserted by others, do not name the origin.
      roles.set(event.role.id, { ...event.role, origin: event.role.origin || parts.serverId });
      unsaved.add(event.role.id);
    } else if (event.event === 'leave') {
      roles.delete(event.roleId);
      unsaved.delete(event.roleId);
    } else if (event.event === 'balance') {
      setLive(event.roleId, event.balance);
    } else {
      const { entry } = event;
      entries.push(entry);
      if (!entry.deducted) return;
      setLive(entry.roleId, roleOf(entry.roleId).balance - entry.amount);
      const sameOrder = deductionsByOrder.get(entry.order);
      if (sameOrder) sameOrder.push(entry);
      else deductionsByOrder.set(entry.order, [entry]);
    }
  }

  function setLive(roleId: number, balance: number) {
    roleOf(roleId).balance = balance;
    unsaved.add(roleId);
  }

  function roleOf(roleId: number): Role {
    const role = roles.get(roleId);
    if (!role) throw new Error(`the zone has no role ${roleId}`);
    return role;
  }

  function record(event: LedgerEvent): Promise<void> {
    apply(event);
    return parts.append(event);
  }

  function refusalOf({ roleId, roleName, amount }: DeductionRequest): Refusal | undefined {
    const role = roles.get(roleId);
    if (!role || (roleName !== '' && roleName !== role.name)) return 'unknown_role';
    if (amount > role.balance) return 'not_enough';
    return undefined;
  }

  async function recordDeduction(
    request: DeductionRequest,
    outcome: { deducted: boolean; refusal?: Refusal },
  ) {
    const { order, roleId, amount, fault } = request;
    const before = roles.get(roleId)?.balance ?? null;
    const balance = before !== null && outcome.deducted ? before - amount : before;
    const entry: JournalEntry = { order, roleId, amount, balance, at: Date.now(), fault, ...outcome };
    await record({ event: 'deduct', entry });
    return entry;
  }

  for (const event of parts.events) apply(event);

  return {
    roles: (): Role[] => [...roles.values()].map((role) => ({ ...role })),
    role: (roleId: number): Role => ({ ...roleOf(roleId) }),
    find: (roleId: number): Role | undefined => roles.get(roleId),
    journal: (): JournalEntry[] => entries.map((entry) => ({ ...entry })),
    executed: (order: string): readonly JournalEntry[] => deductionsByOrder.get(order) ?? [],

    async addRole(role: Role) {
      if (roles.has(role.id)) throw new Error(`role ${role.id} is already in the zone`);
      if ([...roles.values()].some(({ name }) => name === role.name))
        throw new Error(`the name ${role.name} is taken in this zone`);
      return record({ event: 'role', at: Date.now(), role });
    },

    /** Removes the role with its balance from the zone. */
    leave(roleId: number): Promise<void> {
      roleOf(roleId);
      return record({ event: 'leave', at: Date.now(), roleId });
    },

    async setBalance(roleId: number, balance: number) {
      if (!Number.isSafeInteger(balance) || balance < 0) throw new Error(`${balance} is not a balance`);
      roleOf(roleId);
      return record({ event: 'balance', at: Date.now(), roleId, balance });
    },

    /** Deducts the amount, or gives the reason in the entry's `refusal`. */
    deduct(request: DeductionRequest): Promise<JournalEntry> {
      const refusal = refusalOf(request);
      return recordDeduction(request, refusal ? { deducted: false, refusal } : { deducted: true });
    },

    /** Journals a request that was deliberately not executed. */
    recordUnexecuted: (request: DeductionRequest, refusal?: Refusal): Promise<JournalEntry> =>
      recordDeduction(request, refusal ? { deducted: false, refusal } : { deducted: false }),

    unsaved: (): number[] => [...unsaved],
    forgetUnsaved: (roleIds: readonly number[]) => {
      for (const id of roleIds) unsaved.delete(id);
    },
    keepUnsaved: (roleIds: readonly number[]) => {
      for (const id of roleIds) unsaved.add(id);
    },
  };
}

import { openActors } from './actors.ts';
import { type Fault, type FaultPlan, faultQueue } from './faults.ts';
import { type DuplicatePolicy, gmCommands } from './gm-commands.ts';
import { type GmRequest, startGmServer } from './gm-server.ts';
import { memoryJournal, openJournal } from './journal.ts';
import { type JournalEntry, openLedger, type Role } from './ledger.ts';
import { type Merge, type MovedRole, mergeRoles } from './merging.ts';
import { startRedirectTarget } from './redirect-target.ts';
import { startSaving } from './saving.ts';

export type { Fault, FaultPlan } from './faults.ts';
export type { GmRequest } from './gm-server.ts';
export type { JournalEntry, Role } from './ledger.ts';
export type { Merge, MovedRole } from './merging.ts';

export type ZoneOptions = {
  serverId: number;
  /** `sqlite:FOLDER` or `mysql://user:password@host:port`; the database `mir_actor_s{serverId}` is created in it. */
  database: string;
  /** Port of the GM interface; 0 (the default) picks a free one. */
  gmPort?: number;
  /** If set, every GM command must be signed with it. */
  gmKey?: string;
  /** 2 expects names and values to be escaped before they are signed. */
  gmSignatureVersion?: 1 | 2;
  /** Seconds between saves to the game database; 0 (the default) saves every change immediately. */
  saveInterval?: number;
  /** File that preserves the zone's state through crashes; without one it lasts as long as the zone runs. */
  journal?: string;
  duplicates?: DuplicatePolicy;
  receipts?: boolean;
  faults?: FaultPlan | readonly Fault[];
};

export type NewRole = {
  account: string;
  name: string;
  level?: number;
  balance?: number;
  job?: number;
  sex?: number;
};

export type Zone = {
  serverId: number;
  gmUrl: string;
  gmPort: number;
  /** Every request to the GM interface, recognised or not. */
  requests: readonly GmRequest[];
  /** URLs requested by clients that followed a `redirect` fault. */
  redirectsFollowed: readonly string[];
  roles: () => Role[];
  role: (roleId: number) => Role;
  /** The live balance; the game database may lag behind it. */
  balance: (roleId: number) => number;
  addRole: (role: NewRole) => Promise<Role>;
  /** Takes over all roles of another zone, as a game does in a merge; that zone is empty afterwards. */
  absorb: (from: Zone, merge?: Merge) => Promise<MovedRole[]>;
  /** Removes a role with its balance from the zone. */
  leave: (roleId: number) => Promise<void>;
  setBalance: (roleId: number, balance: number) => Promise<void>;
  /** Adds currency earned by playing. */
  earn: (roleId: number, amount: number) => Promise<number>;
  /** Every readable deduction request, executed or not. */
  journal: () => JournalEntry[];
  /** Only executed deductions. */
  deductions: (order?: string) => JournalEntry[];
  setFaults: (faults: FaultPlan | readonly Fault[]) => void;
  /** Releases requests held by a `hold` fault. */
  release: () => void;
  save: () => Promise<void>;
  /** How many roles are unsaved, and why the last save failed, if it did. */
  saving: () => { unsaved: number; lastError: string | null };
  pauseGm: () => Promise<void>;
  resumeGm: () => Promise<void>;
  /** Saves and closes everything; rejects if the last save failed. */
  stop: () => Promise<void>;
};

const roleIdsPerZone = 1_000_000;

export async function startZone(options: ZoneOptions): Promise<Zone> {
  const { serverId } = options;
  if (!Number.isSafeInteger(serverId) || serverId < 1) throw new Error(`${serverId} is not a server id`);

  // Closed in reverse order, by `stop` or if the start fails half way.
  await using opening = new AsyncDisposableStack();
  const actors = await openActors({ database: options.database, serverId });
  opening.defer(actors.close);
  const { journal, events } = options.journal
    ? await openJournal(options.journal)
    : { journal: memoryJournal, events: [] };
  opening.defer(journal.close);
  const ledger = openLedger({
    serverId,
    events,
    async append(event) {
      await journal.append(event);
      await saver.changed();
    },
  });
  const saver = startSaving({ ledger, actors, interval: options.saveInterval ?? 0 });
  opening.defer(saver.stop);
  for (const role of await actors.load()) if (!ledger.find(role.id)) await ledger.addRole(role);

  let plan = planOf(options.faults ?? []);
  const rules = {
    serverId,
    signatureVersion: options.gmSignatureVersion ?? 1,
    receipts: options.receipts ?? false,
    duplicates: options.duplicates ?? 'deduct_again',
    ...(options.gmKey !== undefined && { key: options.gmKey }),
  };
  const redirectTarget = await startRedirectTarget();
  opening.defer(redirectTarget.stop);
  const gm = await startGmServer({
    commands: gmCommands({ ledger, rules }),
    redirectTarget,
    port: options.gmPort ?? 0,
    plan: () => plan,
  });
  opening.defer(gm.stop);
  const running = opening.move();
  const nextId = () => Math.max(serverId * roleIdsPerZone, ...ledger.roles().map((role) => role.id)) + 1;

  return {
    serverId,
    gmUrl: gm.url,
    gmPort: gm.port,
    requests: gm.requests,
    redirectsFollowed: redirectTarget.requests,
    roles: ledger.roles,
    role: ledger.role,
    balance: (roleId) => ledger.role(roleId).balance,
    async addRole({ account, name, level = 1, balance = 0, job = 0, sex = 0 }) {
      const id = nextId();
      const createdAt = Date.now();
      await ledger.addRole({ id, account, name, origin: serverId, level, job, sex, balance, createdAt });
      // Games save a new character immediately, regardless of the save interval.
      await saver.saveRole(id);
      return ledger.role(id);
    },
    absorb: (from, merge = {}) => mergeRoles({ from, merge, ledger, nextId, save: saver.save }),
    async leave(roleId) {
      await ledger.leave(roleId);
      await saver.removeRole(roleId);
    },
    setBalance: ledger.setBalance,
    async earn(roleId, amount) {
      const balance = ledger.role(roleId).balance + amount;
      await ledger.setBalance(roleId, balance);
      return balance;
    },
    journal: ledger.journal,
    deductions: (order) =>
      order === undefined ? ledger.journal().filter(({ deducted }) => deducted) : [...ledger.executed(order)],
    setFaults(faults) {
      plan = planOf(faults);
    },
    release: gm.release,
    save: saver.save,
    saving: () => ({ unsaved: ledger.unsaved().length, lastError: saver.lastError() }),
    pauseGm: gm.pause,
    resumeGm: gm.resume,
    stop: () => running.disposeAsync(),
  };
}

function planOf(faults: FaultPlan | readonly Fault[]): FaultPlan {
  return typeof faults === 'function' ? faults : faultQueue(faults);
}

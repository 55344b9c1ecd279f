import type { Ledger, Role } from './ledger.ts';

/** How a game merges two zones. */
export type Merge = {
  /** Prefix of role names from elsewhere; `{server_id}` is the zone of origin. */
  prefix?: string;
  /** Whether all roles are renamed or only those whose name is taken. */
  rename?: 'all' | 'taken';
  /** Whether roles keep their ids or get new ones. */
  ids?: 'kept' | 'mapped';
};

/** A role after the merge, and its previous id. */
export type MovedRole = { from: number; role: Role };

type Leaving = {
  serverId: number;
  roles: () => Role[];
  role: (roleId: number) => Role;
  leave: (roleId: number) => Promise<void>;
};

/** Moves every role with its balance. */
export async function mergeRoles(parts: {
  from: Leaving;
  merge: Merge;
  ledger: Ledger;
  nextId: () => number;
  save: () => Promise<void>;
}): Promise<MovedRole[]> {
  const { from, ledger, nextId, save } = parts;
  const { prefix = 's{server_id}.', rename = 'all', ids = 'kept' } = parts.merge;
  const taken = {
    ids: new Set(ledger.roles().map(({ id }) => id)),
    names: new Set(ledger.roles().map(({ name }) => name)),
  };

  function nameOf({ name, origin }: Role): string {
    // A role from an earlier merge already has its prefix.
    const keepsName = rename === 'taken' || origin !== from.serverId;
    if (keepsName && !taken.names.has(name)) return name;
    return prefix.replaceAll('{server_id}', String(origin)) + name;
  }

  // Plan everything first, so that a merge that cannot complete moves nobody.
  let fresh = nextId();
  const plan = from.roles().map((role) => {
    const arriving = { ...role, id: ids === 'kept' ? role.id : fresh++, name: nameOf(role) };
    if (taken.ids.has(arriving.id)) throw new Error(`role ${arriving.id} is already in the zone`);
    if (taken.names.has(arriving.name)) throw new Error(`the name ${arriving.name} is taken in this zone`);
    taken.ids.add(arriving.id);
    taken.names.add(arriving.name);
    return { leaving: role.id, arriving };
  });
  const moved: MovedRole[] = [];
  for (const { leaving, arriving } of plan) {
    const { balance } = from.role(leaving);
    // Start both synchronously, so that no command finds the role in both zones.
    await Promise.all([ledger.addRole({ ...arriving, balance }), from.leave(leaving)]);
    moved.push({ from: leaving, role: ledger.role(arriving.id) });
  }
  await save();
  return moved;
}

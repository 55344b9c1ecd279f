/** The parts of a package-lock.json used here. */
export interface Lock {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

interface LockEntry {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly [field: string]: unknown;
}

export interface Manifest extends LockEntry {
  readonly name: string;
  readonly version: string;
}

/** Flags that describe an entry's role in the repository and do not apply to the release. */
const OF_THE_REPOSITORY = new Set(['dev', 'devOptional', 'peer']);

/**
 * Builds the npm-shrinkwrap.json of a release: the versions in the repository's lock, which the tests ran with, for everything
 * the release depends on.
 */
export function shrinkwrap({
  lock,
  manifest,
  workspace,
}: {
  lock: Lock;
  manifest: Manifest;
  /** The workspace whose dependencies the release has; packages in its own node_modules are hoisted. */
  workspace: string;
}): object {
  const packages: Record<string, object> = {};
  const placedFrom: Record<string, string> = {};

  const visit = (entry: LockEntry, place: string): void => {
    for (const name of neededBy(entry)) {
      const found = findFrom(lock, place, name);
      if (found === undefined) throw new Error(`package-lock.json has no ${name} for ${place}`);
      const target = found.startsWith(`${workspace}/`) ? found.slice(workspace.length + 1) : found;
      if (placedFrom[target] === found) continue;
      if (placedFrom[target] !== undefined) throw new Error(`two versions of ${name} have the same place`);
      placedFrom[target] = found;
      const kept = lock.packages[found] ?? {};
      packages[target] = Object.fromEntries(
        Object.entries(kept).filter(([field]) => !OF_THE_REPOSITORY.has(field)),
      );
      visit(kept, found);
    }
  };
  visit(manifest, workspace);

  const { name, version } = manifest;
  const sorted = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { name, version, lockfileVersion: 3, requires: true, packages: { '': manifest, ...sorted } };
}

/** npm also installs peers, unless they are optional. */
function neededBy(entry: LockEntry): string[] {
  const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} } = entry;
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  return [...new Set([...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])];
}

/** Resolves like Node: in the node_modules of the folder, then of each parent. */
function findFrom(lock: Lock, place: string, name: string): string | undefined {
  for (let folder = place; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const candidate = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (lock.packages[candidate]) return candidate;
    if (folder === '') return undefined;
  }
}

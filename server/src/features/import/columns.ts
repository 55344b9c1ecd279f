import { type Column, importable } from './store.ts';

export type ColumnMap = ReadonlyMap<Column, string>;

export interface Plan {
  /** The columns to fill, and their columns in the source. */
  readonly columns: readonly Column[];
  readonly sources: readonly string[];
  /** Columns of the source that are not imported. */
  readonly unused: readonly string[];
}

const required: readonly Column[] = ['account', 'password_hash'];

/** Parses `account=username,password_hash=password,…`. */
export function parseColumnMap(text: string): ColumnMap {
  const map = new Map<Column, string>();
  for (const pair of text.split(',').filter((part) => part.trim() !== '')) {
    const [column = '', source = ''] = pair.split('=').map((part) => part.trim());
    if (!isImportable(column))
      throw new Error(`--map: ${column} cannot be imported; these can: ${importable.join(', ')}`);
    if (source === '') throw new Error(`--map: specify the source column of ${column} as ${column}=name`);
    if (map.has(column)) throw new Error(`--map: ${column} is specified twice`);
    map.set(column, source);
  }
  return map;
}

/** Matches the map with the source's columns. A column that the map omits is taken from one of the same name. */
export function planColumns(map: ColumnMap, available: readonly string[]): Plan {
  const chosen = importable.flatMap((column): [Column, string][] => {
    const source = map.get(column) ?? (available.includes(column) ? column : undefined);
    return source === undefined ? [] : [[column, source]];
  });
  const has = `; it has ${available.join(', ')}`;
  for (const [column, source] of chosen)
    if (!available.includes(source))
      throw new Error(`--map: the source has no column ${source} for ${column}${has}`);
  for (const column of required)
    if (!chosen.some(([known]) => known === column))
      throw new Error(`specify the source column of ${column}: --map ${column}=NAME${has}`);
  const sources = chosen.map(([, source]) => source);
  return {
    columns: chosen.map(([column]) => column),
    sources,
    unused: available.filter((name) => !sources.includes(name)),
  };
}

/** Parses `groupid=1,salt=`, the values of further columns of new rows. */
export function parseConstants(text: string): Record<string, string> {
  const pairs = text.split(',').filter((part) => part.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [column = '', ...value] = pair.split('=');
      if (column.trim() === '' || value.length === 0)
        throw new Error('--set must be pairs such as groupid=1,salt=');
      return [column.trim(), value.join('=')];
    }),
  );
}

/** Parses `0=active,1=banned`. The words `active` and `banned` are built in. */
export function parseStatuses(text: string): ReadonlyMap<string, string> {
  const statuses = new Map([
    ['active', 'active'],
    ['banned', 'banned'],
  ]);
  for (const pair of text.split(',').filter((part) => part.trim() !== '')) {
    const [old = '', status = ''] = pair.split('=').map((part) => part.trim().toLowerCase());
    if (old === '' || (status !== 'active' && status !== 'banned'))
      throw new Error('--status must be pairs such as 0=active,1=banned');
    statuses.set(old, status);
  }
  return statuses;
}

function isImportable(name: string): name is Column {
  return (importable as readonly string[]).includes(name);
}

/** The rule of the specification; other programs wrote it with a dollar sign and a dot. */
const HASH_RULE = /^md5\(\s*\$?password\s*[+.]\s*\$?key\s*\)$/i;

/** Refuses a rule that the service cannot check at a login. */
export function requireKnownHash(rule: string): void {
  if (!HASH_RULE.test(rule.trim()))
    throw new Error(
      `--hash: only md5(password+key) can be taken over, with auth.password_key as the key; with ${rule} the old passwords could not be checked here`,
    );
}

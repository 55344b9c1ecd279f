export interface FieldChange {
  readonly field: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Returns the fields in which two JSON values differ, nested ones by path. */
export function differenceOf(before: unknown, after: unknown): FieldChange[] {
  const [from, to] = [leavesOf(before), leavesOf(after)];
  const fields = new Set([...from.keys(), ...to.keys()]);
  return [...fields]
    .map((field) => ({ field, from: from.get(field), to: to.get(field) }))
    .filter((change) => change.from !== change.to);
}

function leavesOf(value: unknown, path = ''): Map<string, string> {
  if (value === null || value === undefined) return path ? new Map([[path, '∅']]) : new Map();
  if (typeof value !== 'object') return new Map([[path || '=', String(value)]]);
  if (Array.isArray(value))
    return new Map([[path || '=', value.length === 0 ? '[]' : value.map(shown).join(', ')]]);
  return new Map(
    Object.entries(value).flatMap(([key, each]) => [...leavesOf(each, path ? `${path}.${key}` : key)]),
  );
}

const shown = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

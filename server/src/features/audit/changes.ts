/** Returns the changed fields before and after, or undefined if nothing changes. */
export function changes<T extends object>(
  before: T,
  after: Partial<T>,
): { before: Partial<T>; after: Partial<T> } | undefined {
  const columns = (Object.keys(after) as (keyof T)[]).filter((column) => after[column] !== before[column]);
  if (columns.length === 0) return undefined;
  const only = (state: Partial<T>) =>
    Object.fromEntries(columns.map((column) => [column, state[column]])) as Partial<T>;
  return { before: only(before), after: only(after) };
}

export type Parameter = string | number | bigint | null | Uint8Array;

/**
 * Checks every SQL parameter. node:sqlite silently binds a Date or an object as NULL and mysql2 turns them into JSON, so only
 * plain values are accepted. Integers become bigints, because both drivers would otherwise send them as floating point.
 */
export function checkParameters(values: readonly unknown[]): Parameter[] {
  return values.map((value, index) => {
    if (typeof value === 'string' || typeof value === 'bigint' || value === null) return value;
    if (typeof value === 'number') return checkNumber(value, index);
    if (value instanceof Uint8Array) return value;
    throw new TypeError(
      `SQL parameter ${index + 1} is ${describe(value)}: only text, numbers, null and bytes can be bound`,
    );
  });
}

function checkNumber(value: number, index: number): number | bigint {
  if (Number.isSafeInteger(value)) return BigInt(value);
  if (Number.isFinite(value) && !Number.isInteger(value)) return value;
  throw new TypeError(`SQL parameter ${index + 1} is ${value}: not a number that SQL can store exactly`);
}

function describe(value: unknown): string {
  return typeof value === 'object'
    ? `an object (${value?.constructor?.name ?? 'no prototype'})`
    : `of type ${typeof value}`;
}

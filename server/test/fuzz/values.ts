import type { JsonSchema } from '@gatehouse/contract';

/** Values that often break programs. */
const hostile: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  -0,
  1e308,
  '',
  ' ',
  '0',
  '-1',
  '1e400',
  'null',
  '\u0000',
  '\ud800',
  '\u202e',
  '%',
  "' or 1=1 --",
  '=cmd|calc',
  '../../etc/passwd',
  '{{7*7}}',
  '$ne',
  'x'.repeat(300),
  'x'.repeat(5000),
  '😀'.repeat(70),
  '2026-02-30T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '0000-01-01T00:00:00Z',
  [],
  [[]],
  {},
  { __proto__: null, constructor: 1 },
  ['1', 2, null],
];

/** Generates values for a schema: mostly valid, sometimes not. */
export function valuesFrom(random: () => number) {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const chance = (share: number) => random() < share;

  function fitting(schema: JsonSchema): unknown {
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return pick(schema.enum);
    if (schema.anyOf) return fitting(pick(schema.anyOf));
    switch (schema.type) {
      case 'integer':
      case 'number':
        return chance(0.7)
          ? Math.floor(random() * 5) + Math.max(schema.minimum ?? 0, 0)
          : pick([schema.minimum ?? 0, schema.maximum ?? 9, 1, 2]);
      case 'boolean':
        return chance(0.5);
      case 'null':
        return null;
      case 'array':
        return Array.from({ length: 1 + Math.floor(random() * 3) }, () => value(schema.items ?? {}));
      case 'object':
        return object(schema);
      case 'string':
        return text(schema);
      default:
        return pick(hostile);
    }
  }

  function text({ format, maxLength = 40 }: JsonSchema): string {
    if (format === 'date-time') return new Date(Date.now() + (random() - 0.5) * 1e10).toISOString();
    const known = [
      'alice',
      'boss',
      'a@example.com',
      '203.0.113.0/24',
      'w-1',
      '1',
      'world',
      '2026-11-15',
      'day_max_reg',
    ];
    return chance(0.6)
      ? pick(known).slice(0, maxLength)
      : 'z'.repeat(Math.floor(random() * Math.min(maxLength, 60)));
  }

  function object({ properties = {}, required = [] }: JsonSchema): Record<string, unknown> {
    const names = Object.keys(properties).filter((name) => required.includes(name) || chance(0.5));
    const made = Object.fromEntries(names.map((name) => [name, value(properties[name] ?? {})]));
    if (chance(0.05)) made.surplus = pick(hostile);
    if (chance(0.05)) delete made[pick(names) ?? ''];
    return made;
  }

  function value(schema: JsonSchema): unknown {
    return chance(0.15) ? pick(hostile) : fitting(schema);
  }

  return { value, object, pick, chance };
}

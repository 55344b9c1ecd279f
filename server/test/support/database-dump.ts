import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../src/db/open.ts';

export interface Cell {
  readonly table: string;
  readonly column: string;
  readonly value: string;
}

/** Returns every value of every existing table. */
export async function dumpOf({ engine, kysely }: Pick<Db, 'engine' | 'kysely'>): Promise<Cell[]> {
  const tables = await (engine === 'sqlite'
    ? sql<{ name: string }>`select name from sqlite_schema where type = 'table'`
    : sql<{
        name: string;
      }>`select table_name as name from information_schema.tables where table_schema = database()`
  ).execute(kysely);
  const cells: Cell[] = [];
  for (const { name: table } of tables.rows) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(kysely);
    for (const row of rows)
      for (const [column, value] of Object.entries(row))
        if (value !== null) cells.push({ table, column, value: textOf(value) });
  }
  return cells;
}

const textOf = (value: unknown) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value));

export interface Secrets {
  /** Long secrets, which cannot occur by chance, by name. */
  readonly long: Readonly<Record<string, string>>;
  /** Short secrets, such as codes: only a whole value, or its digest, reveals them. */
  readonly short: Readonly<Record<string, string>>;
}

/** Patterns that must not occur in any column. */
const telltale: Readonly<Record<string, RegExp>> = {
  'an md5 hash': /^[0-9a-f]{32}$/i,
  'a password hash': /\$argon2|\$2[aby]\$|\$scrypt/,
  'a token': /eyJ[\w-]{10,}\.[\w-]+\.[\w-]+/,
};

/** Returns where a secret can be read, in clear or in a form that can be reversed without a key. */
export function readableIn(cells: readonly Cell[], secrets: Secrets): string[] {
  const long = Object.entries(secrets.long).flatMap(([what, secret]) =>
    formsOf(secret).map((form) => [what, form] as const),
  );
  const short = new Map(
    Object.entries(secrets.short).flatMap(([what, secret]) =>
      [secret, ...digestsOf(secret)].map((form) => [form, what] as const),
    ),
  );
  return cells.flatMap(({ table, column, value }) => {
    const text = value.toLowerCase();
    const found = [
      ...long.filter(([, form]) => text.includes(form)).map(([what]) => what),
      ...[short.get(text)].filter((what) => what !== undefined),
      ...Object.entries(telltale)
        .filter(([, pattern]) => pattern.test(value))
        .map(([what]) => what),
    ];
    return found.map((what) => `${table}.${column}: ${what}`);
  });
}

const encodings = ['hex', 'base64', 'base64url'] as const;

const formsOf = (secret: string) =>
  [secret, ...encodings.map((encoding) => Buffer.from(secret).toString(encoding).replaceAll('=', ''))].map(
    (form) => form.toLowerCase(),
  );

/** There are so few codes that a digest without a key reveals the code. */
const digestsOf = (secret: string) =>
  (['md5', 'sha1', 'sha256', 'sha512'] as const).flatMap((algorithm) => [
    hash(algorithm, secret),
    hash(algorithm, secret, 'base64').toLowerCase(),
  ]);

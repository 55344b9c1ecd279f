import mysql, { type ResultSetHeader } from 'mysql2';
import { connectOld, holdsBytes, query } from './old-accounts.ts';

/** A column of the old table: what limits the values written to it. */
export interface OldColumn {
  readonly name: string;
  /** For example `int(11)`, in lower case. */
  readonly type: string;
  readonly isNullable: boolean;
  /** Whether an INSERT may omit it. */
  readonly isOptional: boolean;
  /** The largest number of characters, for CHAR and VARCHAR. */
  readonly maxLength: number | undefined;
}

export type OldValue = string | number | null;

/** A row to change, if its old values are still these. */
export interface OldChange {
  /** Its primary key. */
  readonly at: string;
  readonly values: Readonly<Record<string, OldValue>>;
  /** As read; NULL as an empty text. */
  readonly expected: Readonly<Record<string, string>>;
}

export interface OldAccountsWriter {
  readonly columns: readonly OldColumn[];
  /** Returns which of these texts the column cannot store without changing them. */
  unfit(column: string, texts: readonly string[]): Promise<ReadonlySet<string>>;
  /** Returns how many of these names the column has already, in any case. */
  existing(column: string, names: readonly string[]): Promise<readonly string[]>;
  insert(rows: readonly Readonly<Record<string, OldValue>>[]): Promise<void>;
  /** Returns false if the row was changed after it was read. */
  update(change: OldChange): Promise<boolean>;
  close(): void;
}

export interface WrittenTable {
  readonly url: string;
  readonly table: string;
  /** The encoding of latin1 and binary columns, if it is another than declared. */
  readonly encoding?: string | undefined;
}

/** MariaDB's names of encodings. It has no gb18030; what GBK cannot store is refused. */
const CHARSETS: Readonly<Record<string, string>> = {
  gbk: 'gbk',
  gb2312: 'gbk',
  gb18030: 'gbk',
  big5: 'big5',
  'utf-8': 'utf8mb4',
  utf8: 'utf8mb4',
};

/** Writes to a table of the old MySQL database. */
export async function openOldAccountsWriter({
  url,
  table,
  encoding,
}: WrittenTable): Promise<OldAccountsWriter> {
  const charset = encoding === undefined ? undefined : CHARSETS[encoding.toLowerCase()];
  if (encoding !== undefined && charset === undefined)
    throw new Error(`--encoding: ${encoding} cannot be written; use gbk, gb18030, big5 or utf-8`);
  const connection = await connectOld(url);
  const into = mysql.escapeId(table);
  try {
    const described = await query(connection, `SHOW FULL COLUMNS FROM ${into}`);
    const charsets = new Map(
      described.map((row) => [
        String(row.Field),
        charset !== undefined && holdsBytes(row) ? charset : /^[a-z0-9]+/.exec(row.Collation ?? '')?.[0],
      ]),
    );
    const raw = new Set(charset === undefined ? [] : described.filter(holdsBytes).map(({ Field }) => Field));
    const value = (column: string) => (raw.has(column) ? `CAST(CONVERT(? USING ${charset}) AS BINARY)` : '?');
    const write = async (sql: string, values: readonly OldValue[]) =>
      ((await query(connection, sql, values)) as unknown as ResultSetHeader).affectedRows;

    return {
      columns: described.map(({ Field, Type, Null, Default, Extra }) => ({
        name: String(Field),
        type: String(Type).toLowerCase(),
        isNullable: Null === 'YES',
        isOptional: Null === 'YES' || Default !== null || /auto_increment|GENERATED/i.test(String(Extra)),
        maxLength: Number(/^(?:var)?(?:char|binary)\((\d+)\)/i.exec(String(Type))?.[1]) || undefined,
      })),

      async unfit(column, texts) {
        const unfit = new Set<string>();
        const target = charsets.get(column);
        // ASCII is the same in all of them.
        const doubtful = texts.filter((text) => /\P{ASCII}/u.test(text));
        if (target === undefined || target === 'utf8mb4') return unfit;
        for (const text of doubtful) {
          const converted = `CONVERT(CONVERT(? USING ${target}) USING utf8mb4)`;
          const [row] = await query(connection, `SELECT ${converted} AS text`, [text]);
          if (row?.text !== text) unfit.add(text);
        }
        return unfit;
      },

      async existing(column, names) {
        if (names.length === 0) return [];
        const name = mysql.escapeId(column);
        const list = names.map(() => value(column)).join(', ');
        const picked = raw.has(column)
          ? `CONVERT(CONVERT(CAST(${name} AS BINARY) USING ${charset}) USING utf8mb4)`
          : name;
        const sql = `SELECT ${picked} AS name FROM ${into} WHERE ${name} IN (${list})`;
        return (await query(connection, sql, names)).map((row) => String(row.name));
      },

      async insert(rows) {
        const [first] = rows;
        if (first === undefined) return;
        const columns = Object.keys(first);
        const places = `(${columns.map(value).join(', ')})`;
        await write(
          `INSERT INTO ${into} (${columns.map((name) => mysql.escapeId(name)).join(', ')}) VALUES ${rows.map(() => places).join(', ')}`,
          rows.flatMap((row) => columns.map((column) => row[column] ?? null)),
        );
      },

      async update({ at, values, expected }) {
        const [key = ''] = described.filter(({ Key }) => Key === 'PRI').map(({ Field }) => String(Field));
        const set = Object.keys(values).map((column) => `${mysql.escapeId(column)} = ${value(column)}`);
        const still = Object.keys(expected).map(
          (column) => ` AND COALESCE(${mysql.escapeId(column)}, '') = ${value(column)}`,
        );
        const changed = await write(
          `UPDATE ${into} SET ${set.join(', ')} WHERE ${mysql.escapeId(key)} = ?${still.join('')}`,
          [...Object.values(values), at, ...Object.values(expected)],
        );
        return changed === 1;
      },

      close: () => connection.destroy(),
    };
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

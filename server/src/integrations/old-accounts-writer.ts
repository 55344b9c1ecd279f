import mysql, { type ResultSetHeader, type RowDataPacket } from 'mysql2';
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
  /**
   * Returns the names that are equal, as the column compares them, to one it has already or to an earlier one of these. Each is
   * mapped to that one.
   */
  existing(column: string, names: readonly string[]): Promise<ReadonlyMap<string, string>>;
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
    const declaredCharset = ({ Collation }: RowDataPacket) => /^[a-z0-9]+/.exec(Collation ?? '')?.[0];
    const charsets = new Map(
      described.map((row) => [
        String(row.Field),
        charset !== undefined && holdsBytes(row) ? charset : declaredCharset(row),
      ]),
    );
    const raw = new Set(charset === undefined ? [] : described.filter(holdsBytes).map(({ Field }) => Field));
    const value = (column: string) => (raw.has(column) ? `CAST(CONVERT(? USING ${charset}) AS BINARY)` : '?');
    /** Returns a value that is compared as the column compares its own: by collation, or bytes. */
    const comparable = (column: string) => {
      const row = described.find(({ Field }) => Field === column);
      return row?.Collation
        ? `CONVERT(${value(column)} USING ${declaredCharset(row)}) COLLATE ${row.Collation}`
        : `CAST(${value(column)} AS BINARY)`;
    };
    const write = async (sql: string, values: readonly OldValue[]) =>
      ((await query(connection, sql, values)) as unknown as ResultSetHeader).affectedRows;

    async function equalToEarlier(column: string, names: readonly string[]): Promise<Map<string, string>> {
      const asked = names.map((_, place) => `SELECT ${place} AS place, ${comparable(column)} AS name`);
      const sql = `SELECT GROUP_CONCAT(place ORDER BY place) AS places FROM (${asked.join(' UNION ALL ')}) AS asked GROUP BY name HAVING COUNT(*) > 1`;
      const equal = new Map<string, string>();
      for (const { places } of await query(connection, sql, names)) {
        const [first = '', ...others] = String(places)
          .split(',')
          .map((place) => names[Number(place)] ?? '');
        for (const other of others) equal.set(other, first);
      }
      return equal;
    }

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
        if (names.length === 0) return new Map();
        const existing = await equalToEarlier(column, names);
        const name = mysql.escapeId(column);
        const picked = raw.has(column)
          ? `CONVERT(CONVERT(CAST(${name} AS BINARY) USING ${charset}) USING utf8mb4)`
          : name;
        // FIELD finds the first name that is equal to a stored one, so repeat the search with the others.
        for (let open: readonly string[] = names, last = 0; open.length > 0 && open.length !== last; ) {
          const list = open.map(() => comparable(column)).join(', ');
          const sql = `SELECT ${picked} AS name, FIELD(${name}, ${list}) AS place FROM ${into} WHERE ${name} IN (${list})`;
          for (const row of await query(connection, sql, [...open, ...open]))
            existing.set(open[Number(row.place) - 1] ?? '', String(row.name));
          last = open.length;
          open = open.filter((each) => !existing.has(each));
        }
        return existing;
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

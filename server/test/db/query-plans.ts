import type { CompiledQuery, KyselyPlugin } from 'kysely';
import type { Db } from '../../src/db/open.ts';

export interface TracedDb {
  readonly db: Db;
  /** Returns full table scans since the last call, each with its statement. */
  fullScans(): Promise<string[]>;
  /** Returns the index used by each query since the last call, with `sorted` if a sort was needed. */
  indexesUsed(): Promise<string[]>;
}

/** Wraps a database so that its SELECTs are recorded and can be explained. */
export function traced(db: Db): TracedDb {
  let queries: CompiledQuery[] = [];
  const trace: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (node.kind === 'SelectQueryNode')
        queries.push(db.kysely.getExecutor().compileQuery(node as never, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  function seenQueries(): CompiledQuery[] {
    const seen = queries;
    queries = [];
    if (seen.length === 0) throw new Error('nothing was queried');
    return seen;
  }

  return {
    db: { ...db, kysely: db.kysely.withPlugin(trace) },
    async indexesUsed() {
      const used: string[] = [];
      for (const query of seenQueries()) used.push(await indexOf(db, query));
      return used;
    },
    async fullScans() {
      const seen = seenQueries();
      const scans: string[] = [];
      for (const query of seen)
        scans.push(...(await scansOf(db, query)).map((scan) => `${scan}: ${query.sql}`));
      return scans;
    },
  };
}

async function scansOf({ engine, kysely }: Db, query: CompiledQuery): Promise<string[]> {
  if (engine === 'mysql') {
    const explain = { ...query, sql: `explain ${query.sql}` };
    const { rows } = await kysely.executeQuery<{ table: string | null; type: string | null }>(explain);
    return rows
      .filter(({ table, type }) => (type === 'ALL' || type === 'index') && !table?.startsWith('<'))
      .map(({ table, type }) => `${type} ${table}`);
  }
  const explain = { ...query, sql: `explain query plan ${query.sql}` };
  const { rows } = await kysely.executeQuery<{ detail: string }>(explain);
  const tables = new Set((await kysely.introspection.getTables()).map(({ name }) => name));
  // Results of subqueries are scanned as well, under their own names.
  return rows
    .map(({ detail }) => detail)
    .filter((detail) => tables.has(/^SCAN (\w+)/.exec(detail)?.[1] ?? ''));
}

async function indexOf({ engine, kysely }: Db, query: CompiledQuery): Promise<string> {
  if (engine === 'mysql') {
    const explain = { ...query, sql: `explain ${query.sql}` };
    const { rows } = await kysely.executeQuery<{ key: string | null; Extra: string | null }>(explain);
    const isSorted = rows.some(({ Extra }) => /filesort|temporary/.test(Extra ?? ''));
    return `${rows[0]?.key ?? 'none'}${isSorted ? ', sorted' : ''}`;
  }
  const explain = { ...query, sql: `explain query plan ${query.sql}` };
  const { rows } = await kysely.executeQuery<{ detail: string }>(explain);
  const details = rows.map(({ detail }) => detail);
  const [first = ''] = details;
  // Without an index, a table is read in primary key order.
  const index = /USING (?:COVERING )?INDEX (\w+)/.exec(first)?.[1] ?? 'PRIMARY';
  return `${index.startsWith('sqlite_autoindex') ? 'PRIMARY' : index}${details.some((detail) => detail.includes('TEMP B-TREE')) ? ', sorted' : ''}`;
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Route } from '@gatehouse/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type CsvPages, type CsvRow, MAX_CSV_ROWS, sendCsv, wantsCsv } from './csv.ts';
import type { Input } from './input.ts';
import { type Handler, mount } from './mount.ts';
import {
  encodeCursor,
  type Page,
  type PageRequest,
  type Position,
  pageOf,
  pageRequest,
  type Shape,
} from './paging.ts';

/** On SQLite requests wait while a batch is read; between batches they are handled. */
const CSV_BATCH = 200;

export interface ListOptions<R extends Route, S extends Shape, Row> {
  /** The field of the answer, such as `players`. */
  readonly plural: string;
  /** Types of the sort key. */
  readonly shape: S;
  /** Returns at most `limit` rows after a position. */
  readonly find: (input: Input<R>, page: PageRequest<S>) => Promise<readonly Row[]>;
  readonly positionOf: (row: Row) => Position<S>;
  /** Returns a row as the answer shows it. */
  readonly shown: (row: Row, input: Input<R>) => CsvRow;
  /** Records a CSV export. Without it the list cannot be exported. */
  readonly recordExport?: (input: Input<R>) => Promise<unknown>;
}

/** Mounts a list: one page with its cursor or, with `Accept: text/csv`, the whole list as a file, read page by page. */
export function mountList<R extends Route, const S extends Shape, Row>(
  app: FastifyInstance,
  route: R,
  { plural, shape, find, positionOf, shown, recordExport }: ListOptions<R, S, Row>,
): void {
  const columns = columnsOf(route, plural);

  async function list(input: Input<R>, { limit, after }: PageRequest<S>): Promise<Page<CsvRow, S>> {
    const { entries, next } = pageOf(await find(input, { limit: limit + 1, after }), limit, positionOf);
    return { entries: entries.map((row) => shown(row, input)), next };
  }

  async function handle(given: Input<R>) {
    const { excel, ...query } = given.query as unknown as { limit?: number; cursor?: string; excel?: number };
    const input = { ...given, query } as unknown as Input<R>;
    const wanted = pageRequest(query, shape);
    if (recordExport && wantsCsv(input.request as FastifyRequest)) {
      // Read the first page before sending anything: a refusal is then answered as one, and no export is recorded.
      const pages = pagesOf((page: PageRequest<S>) => list(input, page), wanted.after);
      const first = await pages.next();
      await recordExport(input);
      const file = { name: plural, columns, pages: startingWith(first, pages), forSpreadsheet: excel === 1 };
      return sendCsv(input.reply as FastifyReply, file);
    }
    const { entries, next } = await list(input, wanted);
    return { [plural]: entries, next: next === undefined ? null : encodeCursor(next) };
  }
  mount(app, route, handle as unknown as Handler<R>);
}

/** Reads a list from a cursor on, up to so many rows. */
export async function* pagesOf<const S extends Shape>(
  read: (page: PageRequest<S>) => Promise<Page<CsvRow, S>>,
  from: PageRequest<S>['after'],
  maxRows = MAX_CSV_ROWS,
): CsvPages {
  let after = from;
  for (let sent = 0; sent < maxRows; ) {
    const page = await read({ limit: Math.min(CSV_BATCH, maxRows - sent), after });
    yield page.entries;
    sent += page.entries.length;
    after = page.next;
    if (after === undefined) return undefined;
    await nextTurn();
  }
  return after && encodeCursor(after);
}

async function* startingWith(first: Awaited<ReturnType<CsvPages['next']>>, others: CsvPages): CsvPages {
  if (first.done) return first.value;
  yield first.value;
  return yield* others;
}

/** Uses the answer's field names as column headings. */
function columnsOf({ answers }: Route, plural: string): string[] {
  const schema = answers[200]?.schema as
    | { properties?: Record<string, { items?: { properties?: object } }> }
    | undefined;
  return Object.keys(schema?.properties?.[plural]?.items?.properties ?? {});
}

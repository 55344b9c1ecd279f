import type { Route } from '@gatehouse/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type CsvRow, MAX_CSV_ROWS, sendCsv, wantsCsv } from './csv.ts';
import type { Input } from './input.ts';
import { type Handler, mount } from './mount.ts';
import { encodeCursor, type Page, type PageRequest, pageRequest, type Shape } from './paging.ts';

const CSV_BATCH = 1000;

export interface ListParts<R extends Route, S extends Shape> {
  /** The member of the answer, such as `players`. */
  readonly plural: string;
  /** What the list is sorted by. */
  readonly shape: S;
  readonly list: (input: Input<R>, page: PageRequest<S>) => Promise<Page<CsvRow, S>>;
  /** Records that the list was handed out as a file; a list without it never is. */
  readonly recordExport?: (input: Input<R>) => Promise<unknown>;
}

/** Mounts a list: a page with its cursor, or with `Accept: text/csv` all of it as a file, read page by page. */
export function mountList<R extends Route, const S extends Shape>(
  app: FastifyInstance,
  route: R,
  { plural, shape, list, recordExport }: ListParts<R, S>,
): void {
  const columns = columnsOf(route, plural);

  async function* batches(input: Input<R>, first: PageRequest<S>) {
    let { after } = first;
    for (let sent = 0; sent < MAX_CSV_ROWS; ) {
      const page = await list(input, { limit: Math.min(CSV_BATCH, MAX_CSV_ROWS - sent), after });
      yield page.entries;
      sent += page.entries.length;
      after = page.next;
      if (after === undefined) return;
    }
  }

  async function handle(input: Input<R>) {
    const query = input.query as unknown as { limit?: number; cursor?: string };
    const wanted = pageRequest(query, shape);
    if (recordExport && wantsCsv(input.request as FastifyRequest)) {
      // Read before anything is sent: what is refused or fails is answered as such, and no export.
      const pages = batches(input, wanted);
      const first = await pages.next();
      await recordExport(input);
      const file = { name: plural, columns, batches: startingWith(first.value ?? [], pages) };
      return sendCsv(input.reply as FastifyReply, file);
    }
    const { entries, next } = await list(input, wanted);
    return { [plural]: entries, next: next === undefined ? null : encodeCursor(next) };
  }
  mount(app, route, handle as unknown as Handler<R>);
}

async function* startingWith<T>(first: T, others: AsyncIterable<T>) {
  yield first;
  yield* others;
}

/** The headings of the file are the names of the answer's fields. */
function columnsOf({ answers }: Route, plural: string): string[] {
  const schema = answers[200]?.schema as
    | { properties?: Record<string, { items?: { properties?: object } }> }
    | undefined;
  return Object.keys(schema?.properties?.[plural]?.items?.properties ?? {});
}

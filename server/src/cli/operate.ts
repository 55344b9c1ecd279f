import type { Db } from '../db/open.ts';
import type { Actor } from '../features/audit/entry.ts';
import { renderProblem } from '../http/problem.ts';
import { Refusal } from '../refusal.ts';
import type { Settings } from '../settings/schema.ts';
import { cliActor } from './actor.ts';
import { type Options, withDatabase } from './context.ts';
import { NotFound } from './failure.ts';
import { isChinese } from './language.ts';

/**
 * Creates a function that opens the operators' rules of a feature for one command. A refusal is shown with the API's text;
 * `missing` is shown instead if something was not found.
 */
export function operate<A>(open: (db: Db, settings: Settings, options: Options) => A) {
  return <T>(
    { missing, ...options }: Options & { readonly missing?: string },
    work: (admin: A, actor: Actor) => Promise<T>,
  ): Promise<T> =>
    withDatabase(options, (db, settings) => readable(work(open(db, settings, options), cliActor()), missing));
}

/** Converts a refusal to an error with the API's text. `missing` names what was not found. */
export async function readable<T>(work: Promise<T>, missing?: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, detail, errors = [] } = renderProblem(error, '', isChinese() ? 'zh-CN' : 'en').body;
    const isMissing = /(^|_)not_found$/.test(code);
    if (missing !== undefined && isMissing) throw new NotFound(missing);
    // For an invalid request, only the field errors are specific.
    const [first] = code === 'invalid_request' ? errors : [];
    const message = first ? `${first.field}: ${first.message}` : detail;
    throw isMissing ? new NotFound(message) : new Error(message);
  }
}

import { renderProblem } from '../http/problem.ts';
import { Refusal } from '../refusal.ts';
import { NotFound } from './failure.ts';
import { isChinese } from './language.ts';

/** Converts a refusal to an error with the API's text. `missing` names what was not found. */
export async function readable<T>(work: Promise<T>, missing?: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (missing !== undefined && error.code === 'not_found') throw new NotFound(missing);
    const { code, detail, errors = [] } = renderProblem(error, '', isChinese() ? 'zh-CN' : 'en').body;
    // For an invalid request, only the field errors are specific.
    const [first] = code === 'invalid_request' ? errors : [];
    const message = first ? `${first.field}: ${first.message}` : detail;
    throw /(^|_)not_found$/.test(code) ? new NotFound(message) : new Error(message);
  }
}

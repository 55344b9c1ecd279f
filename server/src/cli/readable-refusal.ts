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
    const { code, detail, errors = [] } = renderProblem(error, '', isChinese() ? 'zh-CN' : 'en').body;
    const isMissing = /(^|_)not_found$/.test(code);
    if (missing !== undefined && isMissing) throw new NotFound(missing);
    // For an invalid request, only the field errors are specific.
    const [first] = code === 'invalid_request' ? errors : [];
    const message = first ? `${first.field}: ${first.message}` : detail;
    throw isMissing ? new NotFound(message) : new Error(message);
  }
}

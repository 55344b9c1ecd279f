import { renderProblem } from '../http/problem.ts';
import { Refusal } from '../refusal.ts';
import { NotFound } from './failure.ts';

/** What a rule refuses, with the API's text; `missing` names what is not there. */
export async function readable<T>(work: Promise<T>, missing?: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (missing !== undefined && error.code === 'not_found') throw new NotFound(missing);
    const { code, detail, errors = [] } = renderProblem(error, '', 'en').body;
    // What is wrong with a request is said of its fields alone.
    const [first] = code === 'invalid_request' ? errors : [];
    const message = first ? `${first.field}: ${first.message}` : detail;
    throw /(^|_)not_found$/.test(code) ? new NotFound(message) : new Error(message);
  }
}

import { renderProblem } from '../http/problem.ts';
import { Refusal } from '../refusal.ts';

/** What a rule refuses, with the API's text; `missing` names what is not there. */
export async function readable<T>(work: Promise<T>, missing?: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (missing !== undefined && error.code === 'not_found') throw new Error(missing);
    const { code, detail, errors = [] } = renderProblem(error, '', 'en').body;
    // What is wrong with a request is said of its fields alone.
    const [first] = code === 'invalid_request' ? errors : [];
    throw new Error(first ? `${first.field}: ${first.message}` : detail);
  }
}

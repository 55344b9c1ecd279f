import { en } from '../http/texts/en.ts';
import { fill } from '../http/texts/index.ts';
import { Refusal } from '../refusal.ts';

/** What a rule refuses, with the API's text. */
export async function readable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { variant, params } = error.details;
    throw new Error(fill(en.variants[`${error.code}.${variant}`] ?? en.refusals[error.code][1], params));
  }
}

import { facts } from '../api/facts.ts';
import { momentOf } from '../i18n/platform-time.ts';

/** Converts a moment in the URL for the API; undefined if it is invalid. */
export const momentOrUndefined = (input: string): string | undefined =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(input) ? momentOf(facts.timeZone, input) : undefined;

import { facts } from '../api/facts.ts';
import { momentOf } from '../i18n/platform-time.ts';

/** A moment in the address as the API takes it; what is no moment is left out. */
export const momentOrUndefined = (input: string): string | undefined =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(input) ? momentOf(facts.timeZone, input) : undefined;

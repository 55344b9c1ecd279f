import { fingerprint, type Known, type State } from './store.ts';

export type Field = 'password' | 'email' | 'status';
export type Side = 'here' | 'there' | 'both' | 'unknown';

export interface Difference {
  readonly field: Field;
  /** The side that changed it since the import. Unknown if the account was not imported. */
  readonly side: Side;
}

/** Returns the fields in which an account differs from the old data. */
export function differences(there: State, here: Known): Difference[] {
  const compare = (field: Field, old: string | undefined, own: string, then: string | null): Difference[] => {
    if (old === undefined || old === own) return [];
    if (then === null) return [{ field, side: 'unknown' }];
    const side = then === own ? 'there' : then === old ? 'here' : 'both';
    return [{ field, side }];
  };
  return [
    ...(here.hash === undefined
      ? []
      : compare('password', fingerprint(there.hash), fingerprint(here.hash), here.imported_hash)),
    ...compare(
      'email',
      there.email === undefined ? undefined : fingerprint(there.email),
      fingerprint(here.email),
      here.imported_email,
    ),
    ...compare('status', there.status, here.status, here.imported_status),
  ];
}

const WORDS: Record<Side, string> = {
  here: 'changed here since the import',
  there: 'changed in the old data since the import',
  both: 'changed on both sides since the import',
  unknown: 'differs, and was never imported',
};

export const describe = ({ field, side }: Difference) =>
  `${field === 'status' ? 'ban' : field} ${WORDS[side]}`;

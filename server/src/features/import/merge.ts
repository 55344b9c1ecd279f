import { fingerprint, type Known, type Marks, type State } from './store.ts';

export const fields = ['password', 'email', 'status'] as const;
export type Field = (typeof fields)[number];
export type Side = 'here' | 'there' | 'both' | 'unknown';

export interface Difference {
  readonly field: Field;
  /** The side that changed it since the import. Unknown if the account was not imported. */
  readonly side: Side;
}

/** The side whose value an operator chose for a field that both sides changed. */
export type Decide = (field: Field) => 'here' | 'there' | undefined;

export interface Merge {
  readonly differences: readonly Difference[];
  /** Differences that need a decision. */
  readonly conflicts: readonly Field[];
  /** Fields to take from the old data. */
  readonly take: readonly Field[];
  /** Fields to give to the old data. */
  readonly give: readonly Field[];
  /** Marks to write, so that the next comparison starts from the current old data. */
  readonly marks: Partial<Marks>;
}

const undecided: Decide = () => undefined;

/**
 * Compares an account with the old data and with the marks of the last import, which tell the side that changed. What changed
 * there is taken, what changed here stays, and what changed on both sides needs a decision. If both sides agree, the mark follows.
 */
export function mergeAccount(there: State, here: Known, decide = undecided): Merge {
  const differences: Difference[] = [];
  const conflicts: Field[] = [];
  const take: Field[] = [];
  const give: Field[] = [];
  const marks: { -readonly [name in keyof Marks]?: Marks[name] } = {};

  function compare(field: Field, mark: keyof Marks, old: string | undefined, own: string | undefined): void {
    if (old === undefined || own === undefined) return;
    const current = field === 'status' ? old : fingerprint(old);
    if (old === own) {
      if (here[mark] !== current) marks[mark] = current;
      return;
    }
    const side = sideOf(here[mark], current, field === 'status' ? own : fingerprint(own));
    differences.push({ field, side });
    const chosen = side === 'here' || side === 'there' ? side : decide(field);
    if (chosen === undefined) conflicts.push(field);
    else if (chosen === 'there') take.push(field);
    else give.push(field);
    // After a decision for this side, the field counts as changed here.
    if (chosen !== undefined && here[mark] !== current) marks[mark] = current;
  }

  compare('password', 'imported_hash', there.hash, here.hash);
  compare('email', 'imported_email', there.email, here.email);
  compare('status', 'imported_status', there.status, here.status);
  return { differences, conflicts, take, give, marks };
}

function sideOf(mark: string | null, there: string, here: string): Side {
  if (mark === null) return 'unknown';
  if (mark === here) return 'there';
  return mark === there ? 'here' : 'both';
}

const WORDS: Record<Side, string> = {
  here: 'changed here since the import',
  there: 'changed in the old data since the import',
  both: 'changed on both sides since the import',
  unknown: 'differs, and was never imported',
};

export const describe = ({ field, side }: Difference) =>
  `${field === 'status' ? 'ban' : field} ${WORDS[side]}`;

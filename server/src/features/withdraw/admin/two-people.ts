import { Refusal } from '../../../refusal.ts';
import type { Settings } from '../../../settings/schema.ts';
import type { Actor } from '../../audit/entry.ts';
import type { Proposal, Withdrawal } from '../withdrawal.ts';

const MAX_NAME_LENGTH = 64;

/** Reports whether two operators must agree to settle it. */
export function takesTwoPeople({ withdraw }: Settings, { amount }: Pick<Withdrawal, 'amount'>): boolean {
  return withdraw.two_person_above > 0 && amount >= withdraw.two_person_above;
}

/** Returns the name that a proposal is stored under. It is the same for a person at the console and behind sudo. */
export const personOf = ({ name }: Pick<Actor, 'name'>) => name.toLowerCase().slice(0, MAX_NAME_LENGTH);

/** Returns who recently invited an operator, enabled them or changed their access. */
type GrantsTo = (
  operator: string,
) => Promise<readonly (Pick<Actor, 'name' | 'via'> & { readonly at: number })[]>;

/**
 * Refuses a confirmation that may come from the same person. The command line counts as one person, because its environment can
 * name anyone. Two operators do not count as two people if one recently gave the other their access, or a third gave it to both,
 * directly or through others. Nor does an operator count to whom the command line gave access after the proposal.
 */
export async function refuseSamePerson(first: Proposal, second: Actor, grantsTo: GrantsTo): Promise<void> {
  const name = personOf(second);
  if (first.by === name) throw new Refusal('second_person_required');
  if (second.via === 'cli') {
    if (first.via !== 'console') throw new Refusal('second_person_required', { variant: 'cli' });
    return;
  }
  const isNew = (await grantsTo(name)).some(({ via, at }) => via === 'cli' && at > first.at);
  if (isNew || (first.via !== 'cli' && (await haveOneOrigin(first.by, name, grantsTo))))
    throw new Refusal('second_person_required', { variant: 'invited' });
}

/** The operator who is added first on a platform has access by the command line, so it alone connects nobody. */
async function haveOneOrigin(first: string, second: string, grantsTo: GrantsTo): Promise<boolean> {
  const [a, b] = [await originsOf(first, grantsTo), await originsOf(second, grantsTo)];
  return !(
    a.operators.isDisjointFrom(b.operators) &&
    a.operators.isDisjointFrom(b.commandLine) &&
    a.commandLine.isDisjointFrom(b.operators)
  );
}

/** Returns an operator and those their access recently came from, and the users of the command line among these. */
async function originsOf(operator: string, grantsTo: GrantsTo) {
  const operators = new Set([operator]);
  const commandLine = new Set<string>();
  // The loop also visits those it adds.
  for (const name of operators)
    for (const grant of await grantsTo(name))
      (grant.via === 'cli' ? commandLine : operators).add(personOf(grant));
  return { operators, commandLine };
}

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
export const personOf = ({ name }: Actor) => name.toLowerCase().slice(0, MAX_NAME_LENGTH);

/**
 * Refuses a confirmation that may come from the same person. The command line counts as one person, because its environment can
 * name anyone. Two operators do not count as two people if one recently invited the other or gave them a role.
 */
export async function refuseSamePerson(
  first: Proposal,
  second: Actor,
  /** Returns who recently gave one of the two their access. */
  accessGiven: () => Promise<readonly { readonly actor: string }[]>,
): Promise<void> {
  if (first.by === personOf(second)) throw new Refusal('second_person_required');
  if (second.via === 'cli') {
    if (first.via !== 'console') throw new Refusal('second_person_required', { variant: 'cli' });
    return;
  }
  if (first.via === 'cli') return;
  const people = [first.by, personOf(second)];
  if ((await accessGiven()).some(({ actor }) => people.includes(actor)))
    throw new Refusal('second_person_required', { variant: 'invited' });
}

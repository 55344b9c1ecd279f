import { Refusal } from '../../../refusal.ts';
import type { Settings } from '../../../settings/schema.ts';
import type { Actor } from '../../audit/entry.ts';
import type { Proposal, Withdrawal } from '../withdrawal.ts';

const MAX_NAME_LENGTH = 64;

/** Whether two operators must say the same before it is settled. */
export function takesTwoPeople({ withdraw }: Settings, { amount }: Pick<Withdrawal, 'amount'>): boolean {
  return withdraw.two_person_above > 0 && amount >= withdraw.two_person_above;
}

/** The name a proposal is kept under: the same for somebody at the console and behind sudo. */
export const personOf = ({ name }: Actor) => name.toLowerCase().slice(0, MAX_NAME_LENGTH);

/**
 * Refuses a second word that is not another person's. The command line is one person, whoever its environment names. Nor
 * is an operator another person whom the first one invited or gave a role lately, or the other way round.
 */
export async function refuseSamePerson(
  first: Proposal,
  second: Actor,
  /** Who gave one of the two their access lately. */
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

import type { Settings } from '../../../settings/schema.ts';
import type { Actor } from '../../audit/entry.ts';
import type { Withdrawal } from '../withdrawal.ts';

const MAX_NAME_LENGTH = 64;

/** Whether two operators must say the same before it is settled. */
export function takesTwoPeople({ withdraw }: Settings, { amount }: Pick<Withdrawal, 'amount'>): boolean {
  return withdraw.two_person_above > 0 && amount >= withdraw.two_person_above;
}

/** The name a proposal is kept under: the same for somebody at the console and behind sudo. */
export const personOf = ({ name }: Actor) => name.toLowerCase().slice(0, MAX_NAME_LENGTH);

export const isSamePerson = (by: string, actor: Actor) => by === personOf(actor);

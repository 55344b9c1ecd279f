import { Refusal } from '../../../refusal.ts';
import type { Settings } from '../../../settings/schema.ts';
import { type Actor, type AuditEntry, changes } from '../../audit/entry.ts';
import type { Proposal, SettledState, Withdrawal } from '../withdrawal.ts';
import { type OperatorsWithdrawal, requireUnknown, type WithdrawAdminDeps } from './repoint.ts';

export interface Settlement extends OperatorsWithdrawal {
  readonly state: SettledState;
  readonly reason: string;
}

/** Settled, or stored as a proposal until a second operator confirms it. */
export interface SettleOutcome {
  readonly state: SettledState | 'unknown';
  readonly proposed: Proposal | null;
  readonly auditId: string;
}

/** Settles an unknown withdrawal once, with a reason that stays in the database. Large ones need two operators. */
export function settleWithdrawal({ settling, audit, settings, moved }: WithdrawAdminDeps) {
  return async (actor: Actor, order: Settlement): Promise<SettleOutcome> => {
    const { state, reason } = order;

    const { replaces, ...outcome } = await audit.transaction(actor, async (trx, append) => {
      const { withdrawal, now } = requireUnknown(await settling.read(order.id, trx), order);
      const { proposed } = withdrawal;
      const entryOf = (action: AuditEntry['action'], to: object) => ({
        action,
        subject: { kind: 'withdraw', id: withdrawal.id },
        serverId: withdrawal.serverId,
        reason,
        ...changes(recordOf(withdrawal), to),
      });

      async function settle() {
        const resultCode = state === 'failed' ? 'deduction_refused' : undefined;
        await settling.settle(trx, withdrawal, {
          to: state,
          why: 'resolved by an operator',
          actor: eventActor(actor),
          detail: { reason, ...(proposed && { proposed_by: proposed.by }) },
          resultCode,
        });
        const { resultCode: before } = withdrawal;
        const after = { state, result_code: resultCode ?? before, proposed_state: null, proposed_by: null };
        return { state, proposed: null, auditId: await append(entryOf('withdraw.settle', after)) };
      }

      async function propose() {
        const proposal = { state, by: personOf(actor), via: actor.via, at: now };
        await settling.propose(trx, withdrawal, proposal, { actor: eventActor(actor), detail: { reason } });
        const after = { proposed_state: state, proposed_by: proposal.by };
        const auditId = await append(entryOf('withdraw.propose', after));
        return { state: 'unknown' as const, proposed: proposal, auditId, replaces: proposed !== null };
      }

      if (!takesTwoPeople(settings.current, withdrawal)) return { ...(await settle()), replaces: false };
      if (actor.via === 'key') throw new Refusal('permission_denied', { variant: 'two_people' });
      if (proposed?.state !== state) return propose();
      await refuseSamePerson(proposed, actor, {
        grantsTo: (name) => audit.accessGiven(trx, name),
        strict: settings.current.withdraw.two_person_strict,
      });
      return { ...(await settle()), replaces: false };
    });

    // After the commit: the new proposal is stored, but does not settle the withdrawal yet.
    if (replaces) throw new Refusal('second_person_required', { variant: 'replaced' });
    if (outcome.state !== 'unknown') moved(outcome.state);
    return outcome;
  };
}

const eventActor = ({ name }: Actor) => `operator:${name}`;

const recordOf = ({ state, resultCode, proposed }: Withdrawal) => ({
  state: state as string,
  result_code: resultCode as string | null,
  proposed_state: proposed?.state ?? null,
  proposed_by: proposed?.by ?? null,
});

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
 * name anyone. Two operators do not count as two people if one recently gave the other their access, directly or through others.
 * If `strict`, neither do two who have their access from the same operator, nor one to whom the command line gave access after
 * the proposal.
 */
export async function refuseSamePerson(
  first: Proposal,
  second: Actor,
  { grantsTo, strict }: { readonly grantsTo: GrantsTo; readonly strict: boolean },
): Promise<void> {
  const name = personOf(second);
  if (first.by === name) throw new Refusal('second_person_required');
  if (second.via === 'cli') {
    if (first.via !== 'console') throw new Refusal('second_person_required', { variant: 'cli' });
    return;
  }
  const [a, b] = [await originsOf(first.by, grantsTo), await originsOf(name, grantsTo)];
  const isGranted = includes(a, name) || includes(b, first.by);
  const isNew = (await grantsTo(name)).some(({ via, at }) => via === 'cli' && at > first.at);
  const refused =
    (first.via !== 'cli' && isGranted) || (strict && (isNew || (first.via !== 'cli' && share(a, b))));
  if (refused) throw new Refusal('second_person_required', { variant: 'invited' });
}

interface Origins {
  readonly operators: ReadonlySet<string>;
  readonly commandLine: ReadonlySet<string>;
}

const includes = ({ operators, commandLine }: Origins, name: string) =>
  operators.has(name) || commandLine.has(name);

/**
 * A platform's first operator has access from the command line, so a common command line alone does not connect two operators.
 */
function share(a: Origins, b: Origins): boolean {
  return !(
    a.operators.isDisjointFrom(b.operators) &&
    a.operators.isDisjointFrom(b.commandLine) &&
    a.commandLine.isDisjointFrom(b.operators)
  );
}

/** Returns an operator and those their access recently came from, and the users of the command line among these. */
async function originsOf(operator: string, grantsTo: GrantsTo): Promise<Origins> {
  const operators = new Set([operator]);
  const commandLine = new Set<string>();
  // The loop also visits those it adds.
  for (const name of operators)
    for (const grant of await grantsTo(name))
      (grant.via === 'cli' ? commandLine : operators).add(personOf(grant));
  return { operators, commandLine };
}

import { operatorRoles } from '@gatehouse/contract/admin';
import type { Db } from '@gatehouse/server/db/open';
import { openOperatorAdmin } from '@gatehouse/server/features/operators/admin/module';
import type { Settings } from '@gatehouse/server/settings/schema';

/** An operator of the demo, who logs in with a one-time link or with the password chosen through it. */
export interface DemoOperator {
  readonly name: string;
  readonly role: string;
  /** Undefined once used. */
  readonly link: string | undefined;
}

const actor = { name: 'playground', via: 'service' } as const;

/** Invites one operator per role. Operators who have not accepted yet get a fresh link at each start. */
export async function inviteOperators(db: Db, settings: Settings): Promise<DemoOperator[]> {
  const operators = openOperatorAdmin({ db, settings });
  const known = await operators.list({ limit: 100 });
  const invited: DemoOperator[] = [];
  for (const role of operatorRoles.toReversed()) {
    const name = `demo.${role}`;
    const existing = known.find((each) => each.name === name);
    const accepted = existing && existing.invitedUntil === null;
    const invite = () =>
      existing ? operators.invite(actor, { name }) : operators.add(actor, { name, role, zones: null });
    invited.push({ name, role, link: accepted ? undefined : (await invite()).link });
  }
  return invited;
}

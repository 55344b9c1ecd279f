import type { Db } from '../../../db/open.ts';
import type { Settings } from '../../../settings/schema.ts';
import { auditStore } from '../../audit/store.ts';
import { openTwoFactor } from '../../two-factor/module.ts';
import type { TwoFactor } from '../../two-factor/two-factor.ts';
import { sessionStore } from '../session-store.ts';
import { keyStore } from './key-store.ts';
import { addKey, revokeKey } from './keys.ts';
import { addOperator, inviteAgain, setOperator } from './set.ts';
import { operatorAdminStore } from './store.ts';

interface OperatorAdminContext {
  readonly db: Db;
  readonly settings: Settings;
  /** The service's own. Commands leave it out. */
  readonly twoFactor?: TwoFactor;
}

export function openOperatorAdmin({ db, settings, ...given }: OperatorAdminContext) {
  const operators = operatorAdminStore(db);
  const audit = auditStore(db);
  const keys = keyStore(db);
  const deps = {
    operators,
    keys,
    sessions: sessionStore(db),
    twoFactor: given.twoFactor ?? openTwoFactor({ db, settings }),
    audit,
    publicUrl: settings.public_url,
  };
  return {
    list: operators.list,
    add: addOperator(deps),
    set: setOperator(deps),
    invite: inviteAgain(deps),
    keys: { list: keys.list, add: addKey(deps), revoke: revokeKey(deps) },
  };
}

export type OperatorAdmin = ReturnType<typeof openOperatorAdmin>;

import type { FastifyInstance } from 'fastify';
import type { Enqueue } from '../../db/outbox.ts';
import type { FeatureContext } from '../../feature.ts';
import { erasedNameHash } from '../../security/account-key.ts';
import { auditStore } from '../audit/store.ts';
import type { LoginsRecorded } from '../history/login-recorder.ts';
import type { HistoryStore } from '../history/store.ts';
import { challengeStore } from '../two-factor/challenge-store.ts';
import { openPlayerAdmin } from './admin/module.ts';
import { playerAdminRoutes } from './admin/routes.ts';
import { createPlayer, requireRegistrationOpen } from './create-player.ts';
import type { AccountDeps } from './deps.ts';
import { followUnlocks } from './follow-unlocks.ts';
import { erasedNameStore, type RegistrationStore, registrationStore } from './registration-store.ts';
import { accountRoutes } from './routes.ts';
import { askSecondFactor, judgeCode } from './second-factor.ts';
import { confirmIdentity } from './session.ts';
import { accountStore } from './store.ts';

/** Keeps a caller who knows the password from filling the table of unfinished logins. */
const CHALLENGES = { limit: 60, window: 60 };

/** Opens the day's cap on registrations, which codes check too. */
export function openRegistrationCap({ db, settings }: Pick<FeatureContext, 'db' | 'settings'>) {
  const registrations = registrationStore(db);
  return { registrations, requireRegistrationOpen: requireRegistrationOpen({ registrations, settings }) };
}

interface AccountContext
  extends Pick<FeatureContext, 'settings' | 'db' | 'log' | 'metrics' | 'security' | 'limiters'>,
    Pick<
      AccountDeps,
      'zones' | 'useCode' | 'requireProof' | 'requireRegistrationOpen' | 'tickets' | 'twoFactor'
    >,
    Pick<
      AccountDeps,
      'recordLogin' | 'recordEvent' | 'recordLegacy' | 'notifyPlayer' | 'bindIdentity' | 'bindings'
    > {
  readonly enqueue: Enqueue;
  readonly loginsOf: HistoryStore['loginsOf'];
  readonly loginsRecorded: LoginsRecorded;
  readonly registrations: RegistrationStore;
}

export function openAccount(context: AccountContext) {
  const { settings, db, log, security, limiters, notifyPlayer, twoFactor, loginsOf } = context;
  const { registrations, enqueue, loginsRecorded } = context;
  const players = accountStore(db, security.hashes);
  const erasedNames = erasedNameStore(db, erasedNameHash(settings.current.auth));
  const create = createPlayer({ players, erasedNames, registrations, settings, enqueue });
  const challenges = challengeStore(db);
  const ask = askSecondFactor({
    challenges,
    challengeLimit: limiters('second_factor', () => CHALLENGES),
    transaction: db.transaction,
  });
  const unlocks = followUnlocks({
    audit: auditStore(db),
    players,
    loginsOf,
    throttle: security.throttle,
    log,
  });
  const deps: AccountDeps & Pick<FeatureContext, 'metrics'> = {
    ...context,
    ...security,
    players,
    createPlayer: create,
    challenges,
    askSecondFactor: ask,
    transaction: db.transaction,
  };
  return {
    players,
    erasedNames,
    createPlayer: create,
    /** Called by authentication for every player's token. */
    confirmIdentity: confirmIdentity(players),
    askSecondFactor: ask,
    judgeCode: judgeCode(deps),
    routes(app: FastifyInstance) {
      accountRoutes(app, deps);
      const admin = openPlayerAdmin({
        db,
        settings: settings.current,
        notifyPlayer,
        enqueue,
        twoFactor,
        loginsRecorded,
      });
      playerAdminRoutes(app, { players: admin, refreshUnlocks: unlocks.refresh });
    },
    close: unlocks.close,
    sweeps: [{ name: 'old logins that waited for a code', deleteOldest: challenges.deleteExpired }],
  };
}

export type AccountFeature = ReturnType<typeof openAccount>;

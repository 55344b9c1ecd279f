import type { Enqueue } from '../../db/outbox.ts';
import type { Feature, FeatureContext } from '../../feature.ts';
import type { ConfirmIdentity } from '../../http/authentication.ts';
import { erasedNameHash } from '../../security/erased-name-hash.ts';
import type { RequireProof } from '../../security/proof-of-work.ts';
import { auditStore } from '../audit/store.ts';
import type { UseCode } from '../codes/use-code.ts';
import type { RecordLogin } from '../history/login-recorder.ts';
import type { HistoryStore } from '../history/store.ts';
import type { RecordLegacy } from '../legacy-tokens/record-legacy.ts';
import type { NotifyPlayer } from '../notices/notify-player.ts';
import type { EntryTickets } from '../tickets/tickets.ts';
import { challengeStore } from '../two-factor/challenge-store.ts';
import type { TwoFactor } from '../two-factor/two-factor.ts';
import type { ZoneCache } from '../zones/zone-cache.ts';
import { openPlayerAdmin } from './admin/module.ts';
import { playerAdminRoutes } from './admin/routes.ts';
import {
  type CreatePlayer,
  createPlayer,
  type RequireRegistrationOpen,
  requireRegistrationOpen,
} from './create-player.ts';
import { type ErasedNameStore, erasedNameStore } from './erased-name-store.ts';
import { followUnlocks } from './follow-unlocks.ts';
import { type RegistrationStore, registrationStore } from './registration-store.ts';
import type { ResetParts } from './reset-password.ts';
import { accountRoutes } from './routes.ts';
import {
  type AskSecondFactor,
  askSecondFactor,
  type FinishLoginParts,
  type JudgeCode,
  judgeCode,
} from './second-factor.ts';
import { confirmIdentity } from './session.ts';
import { type AccountStore, accountStore } from './store.ts';

export interface AccountFeature extends Feature {
  readonly players: AccountStore;
  readonly createPlayer: CreatePlayer;
  readonly erasedNames: ErasedNameStore;
  /** Called by authentication for every player's token. */
  readonly confirmIdentity: ConfirmIdentity;
  readonly askSecondFactor: AskSecondFactor;
  readonly judgeCode: JudgeCode;
}

/** Keeps a caller who knows the password from filling the table of unfinished logins. */
const CHALLENGES = { limit: 60, window: 60 };

/** Opens the day's cap on registrations, which codes check too. */
export function openRegistrationCap({ db, settings }: Pick<FeatureContext, 'db' | 'settings'>) {
  const registrations = registrationStore(db);
  return { registrations, requireRegistrationOpen: requireRegistrationOpen({ registrations, settings }) };
}

interface AccountContext extends Pick<FeatureContext, 'settings' | 'db' | 'log' | 'security' | 'limiters'> {
  readonly zones: ZoneCache;
  readonly useCode: UseCode;
  readonly requireProof: RequireProof;
  readonly recordLogin: RecordLogin;
  readonly recordLegacy: RecordLegacy;
  readonly tickets: EntryTickets;
  readonly notifyPlayer: NotifyPlayer;
  readonly enqueue: Enqueue;
  readonly bindIdentity: FinishLoginParts['bindIdentity'];
  readonly bindings: ResetParts['bindings'];
  readonly twoFactor: TwoFactor;
  readonly loginsOf: HistoryStore['loginsOf'];
  readonly registrations: RegistrationStore;
  readonly requireRegistrationOpen: RequireRegistrationOpen;
}

export function openAccount(context: AccountContext): AccountFeature {
  const { settings, db, log, security, limiters, zones, useCode, requireProof, tickets } = context;
  const { recordLogin, recordLegacy, notifyPlayer, bindIdentity, bindings, twoFactor, loginsOf } = context;
  const { registrations, requireRegistrationOpen, enqueue } = context;
  const players = accountStore(db, security.hashes);
  const erasedNames = erasedNameStore(db, erasedNameHash(settings.current.auth));
  const create = createPlayer({ players, erasedNames, registrations, settings, enqueue });
  const recorders = { recordLogin, recordLegacy };
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
  const parts = {
    ...security,
    ...recorders,
    createPlayer: create,
    requireRegistrationOpen,
    players,
    zones,
    useCode,
    requireProof,
    tickets,
    notifyPlayer,
    settings,
    log,
    challenges,
    askSecondFactor: ask,
    twoFactor,
    transaction: db.transaction,
    bindIdentity,
    bindings,
  };
  return {
    players,
    erasedNames,
    createPlayer: create,
    confirmIdentity: confirmIdentity(players),
    askSecondFactor: ask,
    judgeCode: judgeCode(parts),
    routes(app) {
      accountRoutes(app, parts);
      const admin = openPlayerAdmin({ db, settings: settings.current, notifyPlayer, enqueue, twoFactor });
      playerAdminRoutes(app, { players: admin, refreshUnlocks: unlocks.refresh });
    },
    close: unlocks.close,
    sweeps: [{ name: 'old logins that waited for a code', deleteOldest: challenges.deleteExpired }],
  };
}

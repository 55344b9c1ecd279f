import { jobLease } from '../../db/job-lease.ts';
import type { Enqueue } from '../../db/outbox.ts';
import type { Feature, FeatureContext } from '../../feature.ts';
import type { Job } from '../../runtime/job.ts';
import type { ErasedNameStore } from '../account/registration-store.ts';
import type { SessionDeps } from '../account/session.ts';
import type { AccountStore } from '../account/store.ts';
import type { UseCode } from '../codes/use-code.ts';
import { ownPassword } from '../forum/bindings.ts';
import type { BindingStore } from '../forum/store.ts';
import type { LoginsRecorded, RecordLogin } from '../history/login-recorder.ts';
import type { HistoryStore, RecordEvent } from '../history/store.ts';
import type { NotifyPlayer } from '../notices/notify-player.ts';
import type { TwoFactor } from '../two-factor/two-factor.ts';
import { startEraseJob } from './delete-account.ts';
import { erasedRecordsStore } from './erased-records-store.ts';
import { erasureStore } from './erasure-store.ts';
import { exportListsStore } from './export-lists-store.ts';
import { exportStore } from './export-store.ts';
import { requirePassword } from './owner.ts';
import { ownAccountRoutes } from './routes.ts';
import { ownAccountStore } from './store.ts';

const SIGN_OUTS = { limit: 10, window: 60 };
const PASSWORDS = { limit: 10, window: 3600 };
const TOTP_BEGINNINGS = { limit: 10, window: 60 };
const NAMES = { limit: 20, window: 3600 };
/** Each export reads everything about the player. */
const EXPORTS = { limit: 10, window: 3600 };
const LEASE_MS = 60_000;

interface OwnAccountContext
  extends Pick<FeatureContext, 'settings' | 'db' | 'log' | 'limiters' | 'metrics' | 'security'> {
  readonly players: AccountStore;
  readonly erasedNames: ErasedNameStore;
  readonly bindings: BindingStore;
  readonly twoFactor: TwoFactor;
  readonly loginsOf: HistoryStore['loginsOf'];
  readonly loginsRecorded: LoginsRecorded;
  readonly zones: SessionDeps['zones'];
  readonly useCode: UseCode;
  readonly recordLogin: RecordLogin;
  readonly recordEvent: RecordEvent;
  readonly notifyPlayer: NotifyPlayer;
  readonly enqueue: Enqueue;
}

/** Lets players see and change their own account. */
export function openOwnAccount(context: OwnAccountContext): Feature & { readonly eraseJob: Job } {
  const { db, log, limiters, metrics, security, players, erasedNames, recordLogin, enqueue, bindings } =
    context;
  const hasOwnPassword = ownPassword({ players, bindings });
  const deps = {
    ...context,
    ...security,
    own: ownAccountStore(db, security.hashes),
    requirePassword: requirePassword({ ...security, players, recordLogin, hasOwnPassword }),
    signOutLimit: limiters('own_sign_out', () => SIGN_OUTS),
    passwordLimit: limiters('own_password', () => PASSWORDS),
    totpLimit: limiters('totp', () => TOTP_BEGINNINGS),
    exporting: exportStore(db),
    exportLists: exportListsStore(db),
    exportLimit: limiters('own_export', () => EXPORTS),
    nameLimit: limiters('own_name', () => NAMES),
    hasOwnPassword,
  };
  const eraseJob = startEraseJob({
    erasure: erasureStore(db),
    records: erasedRecordsStore(db),
    erasedNames,
    enqueue,
    transaction: db.transaction,
    lease: jobLease(db, 'erasure', LEASE_MS),
    log,
    succeeded: metrics.job('erasure'),
  });
  return { eraseJob, routes: (app) => ownAccountRoutes(app, deps), close: eraseJob.close };
}

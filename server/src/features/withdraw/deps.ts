import type { Trx } from '../../db/transaction.ts';
import type { ZoneDrivers } from '../../integrations/zone-driver.ts';
import type { Log } from '../../logging/log.ts';
import type { Trace } from '../../runtime/trace.ts';
import type { LiveSettings } from '../../settings/live.ts';
import type { NotifyPlayer, Origin } from '../notices/notify-player.ts';
import type { Zone } from '../zones/store.ts';
import type { ZoneCache } from '../zones/zone-cache.ts';
import type { OnFailpoint } from './process/failpoints.ts';
import type { RequestLimit } from './request/request-limit.ts';
import type { AcceptStore } from './store/accept-store.ts';
import type { ReportStore } from './store/report-store.ts';
import type { WithdrawStore } from './store/store.ts';
import type { Withdrawal } from './withdrawal.ts';

/** Uses up a code in the transaction that stores the request. Returns false if the code was used meanwhile. */
export type UseCode = (trx: Trx) => Promise<boolean>;

/** The request that a withdrawal is processed for. */
export interface WithdrawCause {
  readonly trace: Trace;
  readonly origin: Origin;
}

export interface ProcessWithdrawal {
  /** Never rejects: recovery picks up what did not finish. Without a cause if recovery processes it. */
  (withdrawal: Withdrawal, cause?: WithdrawCause): Promise<void>;
  /** Resolves when no withdrawal is being processed. */
  idle(): Promise<void>;
}

/** Dependencies of the rules of withdrawals. */
export interface WithdrawDeps {
  readonly store: WithdrawStore;
  readonly reports: ReportStore;
  readonly accepting: AcceptStore;
  readonly drivers: ZoneDrivers;
  readonly zones: ZoneCache;
  /** Includes closed zones: their withdrawals still have to be settled. */
  readonly zoneOf: (serverId: number) => Zone | undefined;
  readonly settings: LiveSettings;
  /** Names this process in the events. */
  readonly actor: string;
  readonly moved: (state: Withdrawal['state']) => void;
  /** Called at each failpoint of a withdrawal. Only the fault run sets it. */
  readonly onFailpoint: OnFailpoint;
  readonly processWithdrawal: ProcessWithdrawal;
  /** A stopping process takes over no withdrawals. */
  readonly stopping: () => boolean;
  /** Returns the account of a player who may still withdraw. */
  readonly accountOf: (playerId: number) => Promise<string | undefined>;
  /** Returns when the hold after a change of password or e-mail address ends, or undefined if there is none. */
  readonly heldUntil: (playerId: number, holdMs: number) => Promise<number | undefined>;
  /** Checks a code. It counts towards the limits of the player's second factor. */
  readonly judgeCode: <T>(
    presented: { readonly playerId: number; readonly address: string; readonly code: string },
    acceptedAs: (proven: { readonly use: UseCode } | undefined) => Promise<T | undefined>,
  ) => Promise<T>;
  readonly notifyPlayer: NotifyPlayer;
  readonly rolesLimit: RequestLimit;
  readonly withdrawLimit: RequestLimit;
  readonly log: Log;
}

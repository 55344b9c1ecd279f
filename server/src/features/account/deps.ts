import type { Trx } from '../../db/transaction.ts';
import type { Log } from '../../logging/log.ts';
import type { GameServerAuth } from '../../security/game-server-auth.ts';
import type { LoginThrottle } from '../../security/login-throttle.ts';
import type { PlayerPasswords } from '../../security/player-passwords.ts';
import type { RequireProof } from '../../security/proof-of-work.ts';
import type { PlayerLimit } from '../../security/throttle.ts';
import type { Tokens } from '../../security/tokens.ts';
import type { LiveSettings } from '../../settings/live.ts';
import type { UseCode } from '../codes/use-code.ts';
import type { RecordLogin } from '../history/login-recorder.ts';
import type { RecordEvent } from '../history/store.ts';
import type { RecordLegacy } from '../legacy-tokens/record-legacy.ts';
import type { NotifyPlayer } from '../notices/notify-player.ts';
import type { EntryTickets } from '../tickets/tickets.ts';
import type { ChallengeIdentity, ChallengeStore } from '../two-factor/challenge-store.ts';
import type { TwoFactor } from '../two-factor/two-factor.ts';
import type { ZoneCache } from '../zones/zone-cache.ts';
import type { CreatePlayer, RequireRegistrationOpen } from './create-player.ts';
import type { Player } from './player-store.ts';
import type { AccountStore } from './store.ts';

interface UnfinishedLogin {
  readonly kind: 'login' | 'forum';
  readonly address: string;
  /** An identity to bind to the player after the code is accepted, not before. */
  readonly identity?: ChallengeIdentity;
  /** Further writes in the transaction that stores the challenge. */
  readonly extraWrites?: (trx: Trx) => Promise<void>;
}

export type AskSecondFactor = (player: Player, login: UnfinishedLogin) => Promise<never>;

/** Dependencies of the rules of accounts. Forum logins and players' own accounts use a part of them. */
export interface AccountDeps {
  readonly players: AccountStore;
  readonly zones: ZoneCache;
  readonly tokens: Tokens;
  readonly passwords: PlayerPasswords;
  readonly throttle: LoginThrottle;
  readonly limitPlayer: PlayerLimit;
  readonly requireProof: RequireProof;
  readonly gameServerAuth: Pick<GameServerAuth, 'isGameServer'>;
  readonly settings: LiveSettings;
  readonly recordLogin: RecordLogin;
  readonly recordEvent: RecordEvent;
  readonly recordLegacy: RecordLegacy;
  readonly notifyPlayer: NotifyPlayer;
  readonly useCode: UseCode;
  readonly tickets: EntryTickets;
  readonly createPlayer: CreatePlayer;
  readonly requireRegistrationOpen: RequireRegistrationOpen;
  readonly twoFactor: TwoFactor;
  readonly challenges: ChallengeStore;
  readonly askSecondFactor: AskSecondFactor;
  /** Binds an identity to a player. Returns false if either is already bound to another. */
  readonly bindIdentity: (trx: Trx, identity: ChallengeIdentity, playerId: number) => Promise<boolean>;
  /** Forum identities that can log in to a player's account. */
  readonly bindings: {
    readonly of: (playerId: number) => Promise<readonly { provider: string; connectId: string }[]>;
    readonly removeAll: (trx: Trx, playerId: number) => Promise<void>;
  };
  readonly transaction: <T>(work: (trx: Trx) => Promise<T>) => Promise<T>;
  readonly log: Pick<Log, 'info'>;
}

import type { Metrics } from '../../http/metrics.ts';
import type { ForumProvider } from '../../integrations/forum-provider.ts';
import type { Log } from '../../logging/log.ts';
import type { GameServerAuth } from '../../security/game-server-auth.ts';
import type { KeyedHash } from '../../security/keyed-hash.ts';
import type { Limiter } from '../../security/throttle.ts';
import type { AccountDeps } from '../account/deps.ts';
import type { LoginDeps } from '../account/login.ts';
import type { BindingStore } from './store.ts';
import type { TicketStore } from './ticket-store.ts';

/** Dependencies of the rules of forum logins. */
export interface ForumDeps
  extends LoginDeps,
    Pick<AccountDeps, 'createPlayer' | 'settings' | 'askSecondFactor' | 'limitPlayer' | 'notifyPlayer'> {
  /** The enabled providers. The first is the default. */
  readonly providers: readonly ForumProvider[];
  readonly bindings: BindingStore;
  readonly tickets: TicketStore;
  readonly ticketHash: KeyedHash;
  /** Signs the state that the browser keeps while the player is at the provider. */
  readonly signOAuthState: KeyedHash;
  /** Returns true for the first use of a state across all instances. */
  readonly useStateOnce: (state: string, lifetimeMs: number) => Promise<boolean>;
  /** Limits unfinished logins by network: each costs a call to the provider and a row. */
  readonly callbackLimit: Limiter;
  readonly gameServerAuth: GameServerAuth;
  readonly metrics: Pick<Metrics, 'countLogin' | 'countRegistration'>;
  readonly log: Log;
}

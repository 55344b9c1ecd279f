import type { ForumProvider } from '../../integrations/forum-provider.ts';
import type { Log } from '../../logging/log.ts';
import { Refusal } from '../../refusal.ts';
import type { KeyedHash } from '../../security/keyed-hash.ts';
import { OAUTH_STATE_LIFETIME_S, type OAuthState } from './oauth-state.ts';
import type { BindingStore } from './store.ts';
import { hashOfTicket, newTicket, TICKET_LIFETIME_S, type Ticket } from './ticket.ts';
import type { TicketStore } from './ticket-store.ts';

/** Error codes for faults of the provider or our settings, not of the player. */
const PROVIDER_FAULTS = new Set([
  'server_error',
  'temporarily_unavailable',
  'invalid_request',
  'invalid_client',
  'invalid_scope',
  'unauthorized_client',
  'unsupported_response_type',
]);

export interface CallbackParts {
  readonly providers: readonly ForumProvider[];
  readonly bindings: BindingStore;
  readonly tickets: TicketStore;
  readonly ticketHash: KeyedHash;
  /** Returns true for the first use of a state across all instances. */
  readonly useStateOnce: (state: string, lifetimeMs: number) => Promise<boolean>;
  readonly log: Pick<Log, 'error'>;
}

/** The parameters that the provider sent the browser back with. */
export interface ProviderAnswer {
  readonly code?: string | undefined;
  readonly error?: string | undefined;
  readonly iss?: string | undefined;
}

export interface TicketResult extends Ticket {
  readonly linked: boolean;
  /** The player's name at the provider. */
  readonly name: string | null;
}

export type CallbackResult =
  | TicketResult
  | { readonly error: 'forum_denied' | 'forum_state' | 'forum_unavailable' };

/** Ends a login at an identity provider. Returns a one-time ticket for the identity, or the reason why there is none. */
export function callback({ providers, bindings, tickets, ticketHash, useStateOnce, log }: CallbackParts) {
  async function handle(answer: ProviderAnswer, attempt: OAuthState | undefined): Promise<CallbackResult> {
    const provider = providers.find(({ id }) => id === attempt?.provider);
    if (!attempt || !provider) return { error: 'forum_state' };
    if (!(await useStateOnce(attempt.state, 2 * OAUTH_STATE_LIFETIME_S * 1000)))
      return { error: 'forum_state' };
    if (PROVIDER_FAULTS.has(answer.error ?? '')) return { error: 'forum_unavailable' };
    if (answer.error !== undefined || !answer.code) return { error: 'forum_denied' };

    const { code, iss } = answer;
    const identity = await provider.identify({ code, ...(iss !== undefined && { iss }) }, attempt);
    if (identity === 'code_refused') return { error: 'forum_state' };

    const ticket = newTicket();
    await tickets.add(hashOfTicket(ticketHash, ticket), identity, TICKET_LIFETIME_S * 1000);
    const linked = (await bindings.ownerOf(identity)) !== undefined;
    return { ...ticket, linked, name: identity.name };
  }

  return async (answer: ProviderAnswer, attempt: OAuthState | undefined): Promise<CallbackResult> => {
    try {
      return await handle(answer, attempt);
    } catch (error) {
      if (!(error instanceof Refusal)) log.error({ err: error }, 'a forum login could not be finished');
      return { error: 'forum_unavailable' };
    }
  };
}

import type { Session } from '@gatehouse/contract';
import type { Trx } from '../../db/transaction.ts';
import type { ForumIdentity } from '../../integrations/forum-provider.ts';
import { Refusal, refuseField, refuseInput } from '../../refusal.ts';
import { provePassword } from '../account/login.ts';
import type { Player } from '../account/player-store.ts';
import { openLoginSession, refuseSuspended, type Visitor } from '../account/session.ts';
import type { ForumDeps } from './deps.ts';
import { hashesOfTicket } from './game-server.ts';
import { registerForumPlayer } from './register-forum-player.ts';
import type { Owner } from './store.ts';

export interface BindRequest {
  readonly ticket: string;
  readonly account?: string;
  readonly password?: string;
  readonly agent_id?: unknown;
}

type TicketHashes = ReturnType<typeof hashesOfTicket>;

interface PresentedTicket extends Visitor {
  readonly hashes: TicketHashes;
  readonly language: string;
}

/** A login through an existing binding. */
interface LinkedLogin {
  readonly ticket: PresentedTicket;
  readonly identity: ForumIdentity;
  readonly owner: Owner;
  /** The player whose account and password came with the ticket. */
  readonly named: Player | undefined;
}

/** Exchanges a ticket: logs in a bound player, binds one who proves a password, and registers any other. */
export function bind(deps: ForumDeps) {
  const { players, bindings, tickets, ticketHash, recordLogin, askSecondFactor, notifyPlayer } = deps;
  const { settings, recordEvent } = deps;
  const prove = provePassword(deps);
  const register = registerForumPlayer(deps);

  /** Uses up the ticket in the transaction that binds the identity, so that a refusal leaves it valid. */
  const connect = (ticket: TicketHashes, identity: ForumIdentity) => async (trx: Trx, playerId: number) => {
    if (!(await tickets.consume(ticket, trx))) throw invalidTicket();
    if (!(await bindings.add(identity, playerId, trx))) throw new Refusal('already_bound');
  };

  /** Replaces the ticket with a challenge. The identity is bound, or its binding confirmed, when the code is right. */
  const askCode = (
    player: Player,
    { hashes, address }: PresentedTicket,
    { identity, heldSince }: { identity?: ForumIdentity | undefined; heldSince?: number | undefined },
  ) =>
    askSecondFactor(player, {
      kind: 'forum',
      address,
      ...(identity && { identity }),
      extraWrites: async (trx) => {
        if (!(await tickets.consume(hashes, trx))) throw invalidTicket();
        if (heldSince !== undefined) await players.markReset(trx, player.id, heldSince);
      },
    });

  /** Refuses a password that was replaced after it was proven: the link would survive a reset that removes all links. */
  async function refuseReset(trx: Trx, proven: Player): Promise<void> {
    if (!(await players.holdVersion(trx, proven))) throw new Refusal('invalid_credentials');
  }

  /** Puts withdrawals on hold as after a reset if a game server recently made the binding. */
  function heldSinceOf({ byGameServer, ageMs, boundAt }: Owner): number | undefined {
    const holdMs = settings.current.withdraw.hold_after_reset * 1000;
    return byGameServer && ageMs < holdMs ? boundAt : undefined;
  }

  async function logIn({ ticket, identity, owner, named }: LinkedLogin): Promise<Player> {
    if (named && named.id !== owner.playerId) throw new Refusal('already_bound');
    const { account, unconfirmed } = owner;
    if (unconfirmed && !named && settings.current.game_servers.bind !== 'open')
      throw refuseField('account_required', 'account', {
        variant: 'link',
        params: { account },
        extra: { account },
      });
    const player = await players.findById(owner.playerId);
    if (!player) throw invalidTicket();
    refuseSuspended(player);
    const confirms = unconfirmed && named !== undefined;
    if (confirms && named.tokenVersion !== player.tokenVersion) throw new Refusal('invalid_credentials');
    const heldSince = heldSinceOf(owner);
    if (player.twoFactor)
      await askCode(player, ticket, { identity: confirms ? identity : undefined, heldSince });
    deps.limitPlayer('login', player.id);
    await players.allOrNothing({
      async work(trx) {
        if (confirms) await refuseReset(trx, player);
        // A reset may have removed the binding after it was read.
        else if (!(await players.holdVersion(trx, player))) throw invalidTicket();
        if (!(await bindings.isBound(trx, identity, player.id))) throw invalidTicket();
        if (!(await tickets.consume(ticket.hashes, trx))) throw invalidTicket();
        if (confirms) {
          await bindings.confirm(trx, identity, player.id);
          await recordLinked(trx, player.id, identity, ticket);
        }
        if (heldSince !== undefined) await players.markReset(trx, player.id, heldSince);
      },
      // A used ticket does not show which request used it. The player starts the login again.
      wasApplied: async () => false,
    });
    if (confirms) notifyLinked(player.id, identity, ticket);
    return player;
  }

  const notifyLinked = (
    playerId: number,
    { provider }: ForumIdentity,
    { address, language }: PresentedTicket,
  ): void => notifyPlayer({ playerId, notice: { kind: 'linked', provider }, address, language });

  const recordLinked = (
    trx: Trx,
    playerId: number,
    { provider }: ForumIdentity,
    { address, userAgent }: PresentedTicket,
  ) => recordEvent(trx, { playerId, kind: 'linked', detail: provider, address, userAgent });

  async function bindTo(ticket: PresentedTicket, identity: ForumIdentity, player: Player): Promise<Player> {
    if (player.twoFactor) {
      const others = await bindings.of(player.id);
      if (others.some(({ provider }) => provider === identity.provider)) throw new Refusal('already_bound');
      await askCode(player, ticket, { identity });
    }
    await players.allOrNothing({
      async work(trx) {
        await refuseReset(trx, player);
        await connect(ticket.hashes, identity)(trx, player.id);
        await recordLinked(trx, player.id, identity, ticket);
      },
      wasApplied: async () => (await bindings.ownerOf(identity))?.playerId === player.id,
    });
    return player;
  }

  return async (
    request: BindRequest,
    { address, userAgent, language, browserKey }: Visitor & { language: string; browserKey: string },
  ): Promise<{ session: Session; registered: boolean }> => {
    const credentials = bothOrNeither(request);
    const hashes = hashesOfTicket(ticketHash, { ticket: request.ticket, browserKey });
    const ticket = { hashes, address, userAgent, language };
    const identity = await tickets.find(hashes);
    if (!identity) throw invalidTicket();
    const named = credentials && (await prove({ ...credentials, address, userAgent }));
    const as = async (player: Player, registered = false) => {
      recordLogin({ playerId: player.id, kind: registered ? 'register' : 'forum', address, userAgent });
      return { session: await openLoginSession(deps, player, { address, userAgent }), registered };
    };

    const owner = await bindings.ownerOf(identity);
    if (owner) return as(await logIn({ ticket, identity, owner, named }));
    await bindings.deleteOrphaned(identity);
    try {
      if (named) {
        const player = await bindTo(ticket, identity, named);
        notifyLinked(player.id, identity, ticket);
        return await as(player);
      }
      const visitor = { identity, address, agentId: request.agent_id };
      return await as(await register(visitor, connect(hashes, identity)), true);
    } catch (error) {
      // Another ticket of the same person has bound it meanwhile, so this is a login.
      const owner = isAlreadyBound(error) ? await bindings.ownerOf(identity) : undefined;
      if (!owner) throw error;
      return as(await logIn({ ticket, identity, owner, named }));
    }
  };
}

function bothOrNeither({ account, password }: BindRequest) {
  if (account === undefined && password === undefined) return undefined;
  if (account !== undefined && password !== undefined) return { account, password };
  const field = account === undefined ? 'account' : 'password';
  throw refuseInput(field, 'together');
}

const isAlreadyBound = (error: unknown) => error instanceof Refusal && error.code === 'already_bound';

const invalidTicket = () => refuseField('invalid_ticket', 'ticket');

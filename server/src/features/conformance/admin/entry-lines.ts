import { randomBytes } from 'node:crypto';
import type { OwnService, ServiceAnswer } from '../../../integrations/own-service.ts';
import { randomId } from '../../../security/random-id.ts';
import type { Tokens } from '../../../security/tokens.ts';
import type { Settings } from '../../../settings/schema.ts';
import type { Player } from '../../account/player-store.ts';
import type { AccountStore } from '../../account/store.ts';
import type { EntryTickets } from '../../tickets/tickets.ts';
import { type Line, lineOf, type Shown, skipped } from '../line.ts';
import type { Check } from '../texts/index.ts';

export interface EntryDeps {
  readonly kind: Settings['auth']['game_token'];
  readonly players: Pick<AccountStore, 'findByAccount'>;
  readonly tokens: Pick<Tokens, 'issueForGame'>;
  readonly tickets: Pick<EntryTickets, 'issue' | 'use'>;
}

interface Entry {
  readonly service: OwnService;
  readonly account: string | undefined;
  readonly serverId: number;
  readonly otherServerId: number;
}

const LIFETIME_S = 60;
/** A game server at another address, from a block reserved for documentation (RFC 5737). */
const ELSEWHERE = '192.0.2.1';
const CHECKS = [
  'right token',
  'wrong token',
  'repeated ticket',
  'used ticket',
  'foreign ticket',
] as const satisfies readonly Check[];

export const entrySkipped = () => skipped('entry', CHECKS, 'entry.not_asked');

/** Calls /api/check as the zone's game server does, with tokens issued for the test. */
export async function entryLines(deps: EntryDeps, entry: Entry): Promise<Line[]> {
  const { account } = entry;
  if (account === undefined) return skipped('entry', CHECKS, 'entry.no_account');
  const player = await deps.players.findByAccount(account);
  if (!player) return withoutToken('failed', 'entry.unknown_account', account);
  if (deps.kind === 'legacy' && player.md5Token === '')
    return withoutToken('skipped', 'entry.no_hash', account);
  return askAll(deps, entry, player);
}

function withoutToken(
  result: 'failed' | 'skipped',
  reason: 'entry.unknown_account' | 'entry.no_hash',
  account: string,
): Line[] {
  const [first, ...others] = CHECKS;
  return [
    lineOf('entry', first)(result, reason, { account }),
    ...skipped('entry', others, 'entry.no_account'),
  ];
}

async function askAll({ kind, tokens, tickets }: EntryDeps, entry: Entry, player: Player): Promise<Line[]> {
  const { service, serverId, otherServerId } = entry;
  const { url } = service;
  const { id: playerId, account, tokenVersion } = player;

  // Use a separate session, so that a logout of the player does not revoke the ticket.
  const session = { playerId, tokenVersion, sessionId: randomId() };
  const ticketFor = (zone: number) => tickets.issue({ ...session, serverId: zone });

  function rightToken(): string | Promise<string> {
    if (kind === 'ticket') return ticketFor(serverId);
    if (kind === 'legacy') return player.md5Token;
    const expiresAt = Math.floor(Date.now() / 1000) + LIFETIME_S;
    return tokens.issueForGame({
      playerId,
      account,
      version: tokenVersion,
      id: session.sessionId,
      expiresAt,
    });
  }

  function wrongToken(right: string): string {
    if (kind === 'ticket') return randomBytes(32).toString('base64url');
    if (kind === 'legacy') return randomBytes(16).toString('hex');
    const [head, payload] = right.split('.');
    return `${head}.${payload}.${randomBytes(32).toString('base64url')}`;
  }

  async function ask(token: string, server_id = serverId) {
    const body = { account, token, server_id };
    const answer = await service.ask({ method: 'POST', target: '/api/check', body: JSON.stringify(body) });
    return { answer, shown: shownOf({ ...body, token: '…' }, answer) };
  }

  const isRight = ({ status, fields }: ServiceAnswer) =>
    status === 200 && fields.valid === true && fields.player_id === playerId && fields.format === kind;
  const isRefused = ({ status, fields }: ServiceAnswer) => status === 401 && fields.code === 'invalid_token';

  async function takes(check: Check, token: string): Promise<Line> {
    const judge = lineOf('entry', check);
    const { answer, shown } = await ask(token);
    if (isRight(answer)) return judge('ok', 'entry.taken', { format: kind }, shown);
    return judge('failed', 'entry.right_refused', { url, answer: brief(answer) }, shown);
  }

  async function refuses(check: Check, token: string): Promise<Line> {
    const judge = lineOf('entry', check);
    const { answer, shown } = await ask(token);
    if (isRefused(answer)) return judge('ok', 'entry.refused', {}, shown);
    return judge('failed', 'entry.wrong_taken', { url, answer: brief(answer) }, shown);
  }

  async function usedElsewhere(): Promise<Line> {
    const ticket = await ticketFor(serverId);
    await tickets.use(ticket, ELSEWHERE);
    return refuses('used ticket', ticket);
  }

  async function ofOtherZone(): Promise<Line> {
    const check = 'foreign ticket';
    const ticket = await ticketFor(otherServerId);
    const refused = await refuses(check, ticket);
    if (refused.result !== 'ok') return refused;
    const { answer, shown } = await ask(ticket, otherServerId);
    if (isRight(answer)) return refused;
    return lineOf('entry', check)('failed', 'entry.spent', { url, answer: brief(answer) }, shown);
  }

  const right = await rightToken();
  const lines = [await takes('right token', right), await refuses('wrong token', wrongToken(right))];
  if (kind === 'ticket')
    return [...lines, await takes('repeated ticket', right), await usedElsewhere(), await ofOtherZone()];
  const [, , ...ofTickets] = CHECKS;
  return [...lines, ...skipped('entry', ofTickets, 'entry.no_tickets', { kind })];
}

/** Formats the status and the code of a refusal. */
export const brief = ({ status, fields }: ServiceAnswer) =>
  typeof fields.code === 'string' ? `${status} ${fields.code}` : String(status);

function shownOf(body: object, answer: ServiceAnswer): Shown {
  const { code, valid, account, player_id, format, server_id } = answer.fields;
  const fields = code === undefined ? { valid, account, player_id, format, server_id } : { code };
  return {
    request: `POST /api/check ${JSON.stringify(body)}`,
    response: `${answer.status} ${JSON.stringify(fields)}`,
  };
}

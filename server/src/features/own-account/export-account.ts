import { setImmediate as nextTurn } from 'node:timers/promises';
import { Refusal } from '../../refusal.ts';
import { keyedConcurrency } from '../../runtime/concurrency.ts';
import { timeText } from '../../runtime/time.ts';
import type { AuditTexts } from './erased-records-store.ts';
import type { Traces } from './erasure-store.ts';
import type { ExportListsStore } from './export-lists-store.ts';
import type { ExportStore } from './export-store.ts';
import type { OwnAccountDeps, Owner } from './owner.ts';
import { refuseOver } from './sessions.ts';

type Row = Readonly<Record<string, unknown>>;

/** Upper bound for lists that others can grow. */
const MOST_LISTED = 10_000;

/**
 * Exports everything stored about a player as the pieces of one JSON text, with at most one batch in memory. All exports of the
 * process together read one batch per event-loop turn, and a slow client does not delay the others.
 */
export function exportAccount(deps: OwnAccountDeps) {
  const oneAtATime = keyedConcurrency(1);
  const nextPiece = (text: AsyncGenerator<string>) =>
    oneAtATime('export', async () => {
      const piece = await text.next();
      await nextTurn();
      return piece;
    });

  async function* inTurns(text: AsyncGenerator<string>): AsyncGenerator<string> {
    for (let piece = await nextPiece(text); !piece.done; piece = await nextPiece(text)) yield piece.value;
  }

  return async (owner: Pick<Owner, 'playerId'>): Promise<AsyncIterable<string>> => {
    await refuseOver(deps.exportLimit, owner);
    const player = await deps.exporting.player(owner.playerId);
    if (!player) throw new Refusal('invalid_token');
    return inTurns(pieces(deps, player));
  };
}

type ExportedPlayer = NonNullable<Awaited<ReturnType<ExportStore['player']>>>;

async function* pieces(
  { exporting, exportLists: lists }: OwnAccountDeps,
  player: ExportedPlayer,
): AsyncGenerator<string> {
  const { player_id: id, account, email } = player;
  const [twoFactor, madeByForum] = [await exporting.twoFactor(id), await exporting.madeByForum(id)];
  yield `{"exported_at":${JSON.stringify(timeText(Date.now()))}`;
  yield `,"account":${textOf({ ...player, created_at: player.created_at || null, made_by_forum: madeByForum })}`;
  yield `,"two_factor":${textOf(twoFactor ?? null)}`;
  yield* list('bindings', exporting.bindings(id));
  yield* list('zones', exporting.zones(id));
  const beyond = await lists.newestLoginBeyond(id, MOST_LISTED);
  yield* list('logins', lists.logins(id, beyond));
  if (beyond) yield newestOnly('logins');
  yield* list('account_events', exporting.events(id));
  yield* list('forum_logins', exporting.forumLogins(id));
  yield* list('entry_tickets', exporting.entryTickets(id));
  yield* list('unfinished_logins', exporting.unfinishedLogins(id));
  yield* list('withdrawals', withEvents(lists, id));
  yield* list('withdrawal_days', exporting.withdrawalDays(id));
  const spelt = await Promise.all(
    spellings(account).map(async (name) => ({
      name,
      beyond: await lists.newestChatBeyond(name, MOST_LISTED),
    })),
  );
  yield* list('chat', chatOf(lists, spelt));
  if (spelt.some((each) => each.beyond)) yield newestOnly('chat');
  yield* list('verification_codes', email === '' ? [] : exporting.codes(email));
  yield* list('wrong_codes', email === '' ? [] : exporting.wrongCodes(email));
  yield* list('notes', exporting.notes(id));
  yield* list('webhook_events', exporting.webhookEvents(id));
  yield* list('operator_changes', operatorChanges(exporting, id));
  yield '}';
}

async function* withEvents(lists: ExportListsStore, id: number): AsyncGenerator<Row[]> {
  for await (const batch of lists.withdrawals(id)) {
    const events = await lists.withdrawalEvents(batch.map((each) => each.id));
    const byWithdrawal = Map.groupBy(events, ({ withdraw_id }) => withdraw_id);
    yield batch.map((each) => ({
      ...each,
      role: parsed(each.role),
      events: (byWithdrawal.get(each.id) ?? []).map(({ withdraw_id: _, ...event }) => event),
    }));
  }
}

interface SpeltName {
  readonly name: string;
  readonly beyond: Awaited<ReturnType<ExportListsStore['newestChatBeyond']>>;
}

async function* chatOf(lists: ExportListsStore, spelt: readonly SpeltName[]): AsyncGenerator<Row[]> {
  for (const { name, beyond } of spelt) yield* lists.chat(name, beyond);
}

async function operatorChanges(exporting: ExportStore, id: number): Promise<Row[]> {
  const rows = await exporting.operatorChanges(id);
  return rows.map((row) => ({ ...row, before: parsed(row.before), after: parsed(row.after) }));
}

const newestOnly = (name: string) => `,"${name}_note":"Only the newest ${MOST_LISTED} are listed."`;

type Batches = AsyncIterable<readonly Row[]> | Promise<readonly Row[]> | readonly Row[];

async function* list(name: string, source: Batches): AsyncGenerator<string> {
  let separator = '';
  yield `,${JSON.stringify(name)}:[`;
  for await (const rows of Symbol.asyncIterator in source ? source : [await source]) {
    if (rows.length === 0) continue;
    yield separator + rows.map(textOf).join(',');
    separator = ',';
  }
  yield ']';
}

/** Formats times as the API does. */
function textOf(row: unknown): string {
  return JSON.stringify(row, (key, value) => {
    const isTime = /(?:_at|_until|^at)$/.test(key) && typeof value === 'number';
    return isTime ? timeText(value) : value;
  });
}

/** Parses a column that is stored as JSON. */
const parsed = (text: string | null): unknown => (text ? JSON.parse(text) : null);

/** Fields that are only about the player: a changed e-mail address, the text of a note. */
const PERSONAL = new Set(['email', 'text']);
/**
 * Fields that may hold a name or an address among others. Any other value is one of the service's own words, though a player may
 * have it as a name.
 */
const FREE_TEXT = new Set(['account', 'ban_reason', 'mute_reason', 'q', 'role']);
/** Shorter names occur in too many words and numbers. */
const SHORTEST_IN_TEXT = 4;

/** Returns an audit row with the player's names replaced by the id, or undefined if it has none. */
export function redactAudit(traces: Traces, { subject_kind, ...texts }: AuditTexts) {
  const inText = textRedaction(traces);
  const isOfPlayer = subject_kind === 'player';
  const json = (text: string | null) => {
    if (text === null) return null;
    const value: unknown = JSON.parse(text);
    return JSON.stringify(isOfPlayer ? ownValue(value, inText) : sameValue(value, traces));
  };
  const redacted = {
    reason: texts.reason !== null && isOfPlayer ? inText(texts.reason) : texts.reason,
    before: json(texts.before),
    after: json(texts.after),
  };
  const isSame = (['reason', 'before', 'after'] as const).every((key) => redacted[key] === texts[key]);
  return isSame ? undefined : redacted;
}

function textRedaction({ id, account, email, addresses, connectIds }: Traces): (text: string) => string {
  const names = [account, email, ...addresses, ...connectIds].filter(
    (name) => name.length >= SHORTEST_IN_TEXT,
  );
  const known = names.sort((a, b) => b.length - a.length).map((name) => RegExp.escape(name));
  if (known.length === 0) return (text) => text;
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${known.join('|')})(?![\\p{L}\\p{N}_])`, 'giu');
  return (text) => text.replaceAll(pattern, `#${id}`);
}

/** Redacts a value of a row about the player. */
function ownValue(value: unknown, inText: (text: string) => string): unknown {
  return mapValues(value, (each, key) => {
    if (PERSONAL.has(key)) return null;
    return FREE_TEXT.has(key) ? inText(each) : each;
  });
}

/** Redacts a value of any other row if it is exactly the player's name or address. */
function sameValue(value: unknown, { id, account, email, addresses, connectIds }: Traces): unknown {
  const names = new Set([account, email, ...addresses, ...connectIds].map((each) => each.toLowerCase()));
  names.delete('');
  const isName = (text: string) => names.has(text.trim().toLowerCase());
  return mapValues(value, (each, key) => (FREE_TEXT.has(key) && isName(each) ? `#${id}` : each));
}

function mapValues(value: unknown, change: (text: string, key: string) => unknown, key = ''): unknown {
  if (typeof value === 'string') return change(value, key);
  if (Array.isArray(value)) return value.map((each) => mapValues(each, change, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, mapValues(each, change, name)]),
  );
}

/**
 * Returns the spellings under which a game server may have reported an account. Changes only ASCII letters:
 * names that differ in the case of other letters belong to different accounts, see `accountKey`.
 */
export const spellings = (account: string): string[] => [
  ...new Set([
    account,
    account.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()),
    account.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase()),
  ]),
];

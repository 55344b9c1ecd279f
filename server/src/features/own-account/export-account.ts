import { setImmediate as nextTurn } from 'node:timers/promises';
import { Refusal } from '../../refusal.ts';
import { keyedConcurrency } from '../../runtime/keyed-concurrency.ts';
import { timeText } from '../../runtime/time.ts';
import type { Limiter } from '../../security/throttle.ts';
import type { ExportListsStore } from './export-lists-store.ts';
import type { ExportStore } from './export-store.ts';
import type { Owner } from './owner.ts';
import { refuseOver } from './sign-out-everywhere.ts';
import { spellings } from './spellings.ts';

export interface ExportParts {
  readonly exporting: ExportStore;
  readonly exportLists: ExportListsStore;
  readonly exportLimit: Limiter;
}

type Row = Readonly<Record<string, unknown>>;

/** Upper bound for lists that others can grow. */
const MOST_LISTED = 10_000;

/**
 * Exports everything stored about a player as the pieces of one JSON text, with at most one batch in memory. All exports of the
 * process together read one batch per event-loop turn, and a slow client does not delay the others.
 */
export function exportAccount(parts: ExportParts) {
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
    await refuseOver(parts.exportLimit, owner);
    const player = await parts.exporting.player(owner.playerId);
    if (!player) throw new Refusal('invalid_token');
    return inTurns(pieces(parts, player));
  };
}

type ExportedPlayer = NonNullable<Awaited<ReturnType<ExportStore['player']>>>;

async function* pieces(
  { exporting, exportLists: lists }: ExportParts,
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

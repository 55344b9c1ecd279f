import type { BodyOf, ChatRecord, routes } from '@gatehouse/contract';
import type { GroupWriter } from '../../db/group-writer.ts';
import { Refusal } from '../../refusal.ts';
import { parseTime } from '../../runtime/time.ts';
import { type Caller, networkOf } from '../../security/addresses.ts';
import type { Limiter } from '../../security/throttle.ts';
import type { LiveSettings } from '../../settings/live.ts';
import type { ChatLine } from './store.ts';

/** Retry delay after a full queue, which empties within a second or not for a long time. */
const FULL_RETRY_S = 1;

export interface ReportDeps {
  readonly writer: GroupWriter<ChatLine>;
  /** Returns the zones for which the caller is a game server: null for all, undefined for none. */
  readonly zonesOf: (caller: Caller) => ReadonlySet<number> | null | undefined;
  /** Limits reports and bytes from addresses that are not game servers. */
  readonly limiters: { readonly reports: Limiter; readonly bytes: Limiter };
  readonly settings: LiveSettings;
}

export interface ReportCaller extends Caller {
  readonly bodyBytes: number;
}

/** Stores the game's reports, one record or a batch, all or none. Answers when they are durable. */
export function reportChat({ writer, zonesOf, limiters, settings }: ReportDeps) {
  function requireGameServer(caller: Caller): void {
    if (settings.current.chat.from === 'game_servers' && zonesOf(caller) === undefined)
      throw new Refusal('caller_not_allowed');
  }

  /** If only game servers may report, one known by its zone's address may report only for that zone. */
  function requireOwnZones(lines: readonly ChatLine[], caller: Caller): void {
    if (settings.current.chat.from !== 'game_servers') return;
    const zones = zonesOf(caller);
    if (zones && lines.some(({ serverId }) => !zones.has(serverId)))
      throw new Refusal('caller_not_allowed', { variant: 'other_zone' });
  }

  /** Counts a report by its caller's network. Game servers have no limit. */
  const countReport = (caller: ReportCaller) => (zonesOf(caller) === undefined ? limit(caller) : undefined);

  async function limit({ address, bodyBytes }: ReportCaller): Promise<void> {
    const network = networkOf(address);
    const reports = await limiters.reports.hit(network);
    const verdict = reports.over ? reports : await limiters.bytes.hit(network, bodyBytes);
    if (verdict.over) throw new Refusal('too_many_attempts', { retryAfter: verdict.retryAfter });
  }

  async function report(
    report: BodyOf<typeof routes.reportChat>,
    caller: Caller,
  ): Promise<{ accepted: number }> {
    const lines = 'records' in report ? report.records.map(toLine) : [toLine(report)];
    requireOwnZones(lines, caller);
    if (writer.waiting() + lines.length > settings.current.chat.queue)
      throw new Refusal('unavailable', { retryAfter: FULL_RETRY_S });
    await writer.write(lines);
    return { accepted: lines.length };
  }

  return { requireGameServer, countReport, report };
}

function toLine(record: ChatRecord): ChatLine {
  return {
    serverId: record.server_id,
    role: record.role,
    account: record.account ?? '',
    channel: record.channel ?? '',
    content: record.content,
    sentAt: parseTime(record.sent_at ?? null),
  };
}

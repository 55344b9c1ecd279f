import type { Mailer } from '../../integrations/mailer.ts';
import type { Notice } from '../../integrations/notice-mail.ts';
import type { Log } from '../../logging/log.ts';
import { readableTime } from '../../runtime/time.ts';
import { currentTrace, runTraced, type Trace, traceFields } from '../../runtime/trace.ts';
import { doneWithin } from '../../runtime/with-timeout.ts';
import type { LiveSettings } from '../../settings/live.ts';
import type { NoticeStore } from './store.ts';

export type { Notice };

/** The origin of a change. */
export interface Origin {
  readonly address: string;
  /** The language that the request prefers. */
  readonly language: string;
}

/** An event on a player's account. Without an origin if no request of the player's caused it. */
export interface PlayerNotice extends Partial<Origin> {
  readonly playerId: number;
  readonly notice: Notice;
  /** Replaces the account's own address, if that has just changed. */
  readonly to?: string | undefined;
}

/** Notifies the player by mail. Returns immediately and never fails: no request waits for a mail server. */
export type NotifyPlayer = (playerNotice: PlayerNotice) => void;

/** Upper bound of waiting notices. More are dropped, because the mail server does not accept them. */
const MAX_WAITING = 2000;
/** Upper bound of waiting notices for one player, who must not take the places of all others. */
const MAX_WAITING_PER_PLAYER = 50;
const CONCURRENCY = 2;
const CLOSE_WITHIN_MS = 3000;

interface QueueDeps {
  readonly notices: NoticeStore;
  readonly mailer: Pick<Mailer, 'sendNotice'>;
  readonly settings: LiveSettings;
  readonly dropped: () => void;
  readonly log: Pick<Log, 'warn'>;
}

interface Waiting extends PlayerNotice {
  readonly at: number;
  readonly trace: Trace;
}

/** Sends notices in the background, few at a time. */
export function mailQueue({ notices, mailer, settings, dropped, log }: QueueDeps) {
  const queue: Waiting[] = [];
  const workers = new Set<Promise<void>>();

  async function send({ playerId, notice, address, language, to, at }: Waiting): Promise<void> {
    const { public_url, time_zone, withdraw } = settings.current;
    const player = await notices.recipient(playerId);
    const email = to ?? player?.email;
    if (!player || !email) return;
    if (notice.kind === 'withdrawal' && !(await notices.mayTellOfWithdrawal(playerId))) return;
    await mailer.sendNotice({
      to: email,
      notice,
      account: player.account,
      time: readableTime(time_zone, at),
      address,
      language,
      currency: withdraw.currency,
      notMeUrl: new URL('/login?mode=reset', public_url).href,
      bindingsUrl: new URL('/account/bindings', public_url).href,
    });
  }

  async function work(): Promise<void> {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { playerId, notice, trace } = next;
      await runTraced(trace, () => send(next)).catch((error) =>
        // Leave out the error itself: mail servers repeat the recipient's address in their answers.
        log.warn(
          {
            player_id: playerId,
            ...traceFields(trace),
            notice: notice.kind,
            why: error?.code ?? error?.name,
          },
          'a notice mail could not be sent',
        ),
      );
    }
  }

  const isFull = (playerId: number) =>
    queue.length >= MAX_WAITING ||
    (queue.length >= MAX_WAITING_PER_PLAYER &&
      queue.filter((each) => each.playerId === playerId).length >= MAX_WAITING_PER_PLAYER);

  const idle = async () => {
    while (workers.size > 0) await Promise.all(workers);
  };

  return {
    notify(playerNotice: PlayerNotice) {
      if (!settings.current.mail.notices) return;
      if (isFull(playerNotice.playerId)) {
        dropped();
        log.warn(
          { player_id: playerNotice.playerId, notice: playerNotice.notice.kind },
          'the mail queue is full; a mail was dropped',
        );
        return;
      }
      queue.push({ ...playerNotice, at: Date.now(), trace: currentTrace() });
      if (workers.size >= CONCURRENCY) return;
      const worker: Promise<void> = work().finally(() => workers.delete(worker));
      workers.add(worker);
    },
    /** Resolves when the queue is empty. */
    idle,
    waiting: () => queue.length,
    /** Continues sending for a moment; the rest is lost. */
    async close() {
      await doneWithin(idle(), CLOSE_WITHIN_MS);
      queue.length = 0;
    },
  };
}

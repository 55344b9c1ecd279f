import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@gatehouse/simulators/random';
import { codeIn } from '../../../test-support/mail.ts';
import { tempDir } from '../../../test-support/process.ts';
import type { ReceivedMail } from '../../../test-support/smtp.ts';
import { createCallers } from '../cluster/callers.ts';
import { createClient } from '../cluster/client.ts';
import { openJournal } from '../cluster/journal.ts';
import { startLoad } from '../cluster/load.ts';
import { judgeMoney } from '../cluster/money.ts';
import { type CompletedRequest, type Kind, kinds } from '../cluster/timeline.ts';
import { createWithdrawals } from '../cluster/withdrawals.ts';
import { newBrowser } from '../support/forum-browser.ts';
import type { Dependency, SlowParts } from './parts.ts';

/** A kind of the cluster's load, or a login with the forum. */
export type Route = Kind | 'forum';
export const routes: readonly Route[] = [...kinds, 'forum'];

/** Which routes need what. Redis counts throttles; without it each process counts on its own, so nothing needs it. */
const needs: Record<Dependency, readonly Route[]> = {
  smtp: ['register'],
  forum: ['forum'],
  gm: ['withdraw'],
  games: ['withdraw'],
  database: ['login', 'check', 'enter', 'chat', 'register', 'withdraw', 'forum'],
  statement: ['register'],
  redis: ['login', 'check', 'register', 'forum'],
  dns: ['register', 'withdraw'],
};

export const isNeeded = (dependency: Dependency, route: Route) => needs[dependency].includes(route);

export interface RouteFigures {
  readonly good: number;
  readonly refused: number;
  /** No answer within thirty seconds, an answer that is not the uniform problem, or an untrue one. */
  readonly bad: number;
  readonly p99: number;
  readonly slowest: number;
  /** What was answered instead, most frequent first. */
  readonly refusals: string;
}

export interface SlowResult {
  readonly dependency: Dependency | 'none';
  readonly delayMs: number;
  readonly figures: Readonly<Record<Route, RouteFigures>>;
  /** Mails that arrived during this part of the run at an address that already had one. */
  readonly doubledMails: number;
}

export interface SlowRun {
  play(dependency: Dependency | 'none', delayMs: number, seconds: number): Promise<SlowResult>;
  /** Sends requests of every kind for this long; without the forum. */
  load(seconds: number, onCompleted: (request: CompletedRequest) => void): Promise<void>;
  /** Ends the load and compares the withdrawals with what the zones took; each must be 0. */
  judge(): Promise<Readonly<Record<string, number>>>;
}

const rates: Record<Kind, number> = {
  login: 4,
  check: 8,
  list: 8,
  enter: 4,
  chat: 8,
  register: 2,
  withdraw: 2,
};
const FORUM_RATE = 1;
/** As long as nginx waits for the service. */
const TIMEOUT_MS = 30_000;
const SETTLE_TIMEOUT_MS = 60_000;

export function startSlowRun(parts: SlowParts, seed = 1): SlowRun {
  const { service, smtp, players, zones, databaseUrl } = parts;
  const random = seededRandom(seed);
  const client = createClient(service.port, TIMEOUT_MS);
  const journalFile = join(tempDir('slow-parts'), 'journal.jsonl');
  const journal = openJournal(journalFile);
  const withdrawals = createWithdrawals({ client, journal, players, random });
  const mail = {
    codeFor: async (email: string) => {
      const found = await smtp.waitForMessage(email, 5000).catch(() => undefined);
      return found && codeIn(found.raw);
    },
  };
  const callers = {
    ...createCallers({ client, journal, mail, players, zones: zones.length, random }),
    withdraw: withdrawals.request,
  };

  return {
    async play(dependency, delayMs, seconds) {
      const requests: (Omit<CompletedRequest, 'kind'> & { kind: Route })[] = [];
      if (dependency !== 'none') await parts.slow(dependency, delayMs);
      const doubledBefore = countDoubled(smtp.messages);
      const load = startLoad({ callers, rates, onCompleted: (request) => requests.push(request) });
      const forum = forumLogins(service.url, seconds);
      await sleep(seconds * 1000);
      await load.stop();
      for (const each of await forum) requests.push(each);
      if (dependency !== 'none') await parts.slow(dependency, 0);
      const figures = Object.fromEntries(
        routes.map((route) => [route, figuresOf(requests.filter(({ kind }) => kind === route))]),
      ) as Record<Route, RouteFigures>;
      const doubledMails = countDoubled(smtp.messages) - doubledBefore;
      return { dependency, delayMs, figures, doubledMails };
    },
    async load(seconds, onCompleted) {
      const load = startLoad({ callers, rates, onCompleted });
      await sleep(seconds * 1000);
      await load.stop();
    },
    async judge() {
      await withdrawals.allAnswered(SETTLE_TIMEOUT_MS);
      const violations = await judgeMoney({ databaseUrl, zones, replies: withdrawals.replies, journalFile });
      client.close();
      journal.close();
      return { ...violations };
    },
  };
}

/** Logs in with the forum once a second, as a browser does, up to the return to the service. */
async function forumLogins(url: string, seconds: number) {
  const began = performance.now();
  const logins = Array.from({ length: seconds * FORUM_RATE }, async (_, index) => {
    await sleep((index * 1000) / FORUM_RATE);
    const from = performance.now() - began;
    try {
      const { fragment, status, url: page } = await newBrowser().open(`${url}/api/forumauth/authorize`);
      const outcome = fragment.get('ticket') === null ? ('error' as const) : ('ok' as const);
      const note = page.searchParams.get('error') ?? String(status);
      return { kind: 'forum' as const, from, to: performance.now() - began, outcome, note };
    } catch (error) {
      return {
        kind: 'forum' as const,
        from,
        to: performance.now() - began,
        outcome: 'unanswered' as const,
        note: String(error),
      };
    }
  });
  return Promise.all(logins);
}

/** Every request for a code names an address of its own, so a second mail to one address was sent twice. */
function countDoubled(mails: readonly ReceivedMail[]): number {
  return mails.length - new Set(mails.map(({ to }) => to.join())).size;
}

function figuresOf(
  requests: readonly Pick<CompletedRequest, 'from' | 'to' | 'outcome' | 'note'>[],
): RouteFigures {
  const times = requests.map(({ from, to }) => to - from).sort((a, b) => a - b);
  const count = (...outcomes: string[]) =>
    requests.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const notes = Map.groupBy(
    requests.filter(({ outcome }) => outcome !== 'ok'),
    ({ outcome, note }) => note ?? outcome,
  );
  return {
    good: count('ok'),
    refused: count('error'),
    bad: count('unanswered', 'unclean', 'wrong'),
    p99: times[Math.min(times.length - 1, Math.floor(times.length * 0.99))] ?? 0,
    slowest: times.at(-1) ?? 0,
    refusals: [...notes]
      .sort(([, a], [, b]) => b.length - a.length)
      .map(([note, all]) => `${all.length} × ${note}`)
      .join(', '),
  };
}

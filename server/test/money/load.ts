import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Player } from './environment.ts';

/** The last answer to one withdrawal, which is its outcome. */
export interface FinalReply {
  readonly key: string;
  readonly status: number;
  readonly withdrawId: string | undefined;
  readonly code: string | undefined;
}

export interface LoadOptions {
  readonly players: readonly Player[];
  readonly withdrawals: number;
  /** Continues beyond the number while this holds. */
  readonly more: () => boolean;
  /** URLs of the processes that currently answer. */
  readonly urls: () => readonly string[];
  readonly onFinalReply: (reply: FinalReply) => void;
  /** Called for every id in an answer of 200 or 202. */
  readonly onAccepted: (withdrawId: string) => void;
}

const IN_FLIGHT = 40;
const LOW = 60;
const EARNED = 200;

/** Every role withdraws repeatedly, sometimes twice at once, and retries with the same key until the outcome is known. */
export async function runLoad(options: LoadOptions): Promise<void> {
  const { players, withdrawals, more, urls, onFinalReply, onAccepted } = options;
  const semaphore = createSemaphore(IN_FLIGHT);
  let left = withdrawals;

  async function requestUntilFinal(player: Player, key: string, body: object): Promise<FinalReply> {
    for (;;) {
      const all = urls();
      const url = all[Math.floor(Math.random() * all.length)];
      const answer =
        url === undefined ? undefined : await semaphore(() => post(url, player.token, key, body));
      if (answer?.withdrawId !== undefined && answer.status < 300) onAccepted(answer.withdrawId);
      const isFinal = answer !== undefined && answer.status !== 202 && ![500, 503].includes(answer.status);
      if (isFinal) return answer;
      await sleep(answer?.status === 202 ? 1000 : 100 + Math.random() * 300);
    }
  }

  async function withdrawOnce(player: Player): Promise<void> {
    const { zone, roleId, roleName } = player;
    const role = Math.random() < 0.5 ? roleId : roleName;
    const body = { server_id: zone.serverId, role, amount: 1 + Math.floor(Math.random() * 50) };
    const key = randomUUID();
    const chance = Math.random();
    const copies = chance < 0.1 ? [key, key, key] : chance < 0.15 && left > 0 ? [key, randomUUID()] : [key];
    if (copies.length === 2) left -= 1;
    const replies = await Promise.all(copies.map((copy) => requestUntilFinal(player, copy, body)));
    const byKey = new Map(replies.map((each) => [each.key, each]));
    for (const each of byKey.values()) onFinalReply(each);
    if (zone.balance(roleId) < LOW && Math.random() < 0.5) await zone.earn(roleId, EARNED);
  }

  await Promise.all(
    players.map(async (player) => {
      while (left > 0 || more()) {
        left -= 1;
        await withdrawOnce(player);
      }
    }),
  );
}

async function post(url: string, token: string, key: string, body: object): Promise<FinalReply | undefined> {
  try {
    const answer = await fetch(`${url}/api/game/withdraw`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    const { withdraw_id: withdrawId, code } = (await answer.json()) as {
      withdraw_id?: string;
      code?: string;
    };
    return { key, status: answer.status, withdrawId, code };
  } catch {
    return undefined;
  }
}

function createSemaphore(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = count;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Player } from '../money/environment.ts';
import type { FinalReply } from '../money/load.ts';
import type { Answer, Client } from './client.ts';
import type { Journal } from './journal.ts';
import { judgeAnswer, type Verdict } from './verdict.ts';

export interface Withdrawals {
  /** Sends a request for a role without a pending one; undefined if all have one. */
  request(): Promise<Verdict> | undefined;
  /** The final reply to each request, after any repetitions. */
  readonly replies: readonly FinalReply[];
  /** Resolves when every request has a final reply, or after the timeout. */
  allAnswered(timeoutMs: number): Promise<void>;
}

const LOW = 60;
const EARNED = 200;
const MOST = 20;

/** True answers, though not what the player wanted. */
const refusals = ['insufficient_balance', 'deduction_refused'];

export function createWithdrawals(parts: {
  client: Client;
  journal: Journal;
  players: readonly Player[];
  random: () => number;
}): Withdrawals {
  const { client, journal, players, random } = parts;
  const free = new Set(players);
  const replies: FinalReply[] = [];
  let givenUp = false;

  async function send(player: Player, key: string, amount: number): Promise<Answer | undefined> {
    const answer = await client.send({
      path: '/api/game/withdraw',
      token: player.token,
      headers: { 'idempotency-key': key },
      body: { server_id: player.zone.serverId, role: player.roleId, amount },
    });
    if (answer && answer.status < 300) journal.acknowledged('withdraw', [String(answer.body.withdraw_id)]);
    return answer;
  }

  /** Repeats the request with the same key until answered; the role sends nothing else meanwhile. */
  async function pollUntilFinal(player: Player, key: string, amount: number, first: Answer | undefined) {
    let answer = first;
    while (!isFinal(answer) && !givenUp) {
      await sleep(500 + random() * 500);
      answer = await send(player, key, amount);
    }
    const { withdraw_id: id, code } = answer?.body ?? {};
    replies.push({
      key,
      status: answer?.status ?? 0,
      withdrawId: id === undefined ? undefined : String(id),
      code: code === undefined ? undefined : String(code),
    });
    const { zone, roleId } = player;
    if (zone.balance(roleId) < LOW) await zone.earn(roleId, EARNED);
    free.add(player);
  }

  return {
    replies,
    request() {
      const waiting = [...free];
      const player = waiting[Math.floor(random() * waiting.length)];
      if (player === undefined) return undefined;
      free.delete(player);
      const key = randomUUID();
      const amount = 1 + Math.floor(random() * MOST);
      journal.sent('withdraw', [key]);
      return send(player, key, amount).then((answer) => {
        void pollUntilFinal(player, key, amount, answer);
        return judgeAnswer(answer, { status: [200, 202], codes: refusals });
      });
    },
    async allAnswered(timeoutMs) {
      for (const deadline = Date.now() + timeoutMs; free.size < players.length; await sleep(100))
        if (Date.now() > deadline) givenUp = true;
    },
  };
}

/** A refusal that carries the withdrawal's id is its outcome, even if the game server was unreachable. */
function isFinal(answer: Answer | undefined): boolean {
  if (answer === undefined || !answer.isUniform || answer.status === 202) return false;
  const { status, body } = answer;
  return status < 500 ? status !== 429 : status === 502 && body.withdraw_id !== undefined;
}

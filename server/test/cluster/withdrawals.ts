import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Told } from '../money/load.ts';
import type { Player } from '../money/world.ts';
import type { Answer, Client } from './client.ts';
import type { Journal } from './journal.ts';
import { judgeAnswer, type Verdict } from './verdict.ts';

export interface Withdrawals {
  /** One request of a role that has no other under way; undefined when all have. */
  ask(): Promise<Verdict> | undefined;
  /** Answers to those who asked again, because the first answer told them nothing final. */
  readonly told: readonly Told[];
  /** Settles when every role was told what became of its request, or nobody tells. */
  allTold(patienceMs: number): Promise<void>;
}

const LOW = 60;
const EARNED = 200;
const MOST = 20;

/** The truth, though not what the player hoped for. */
const refusals = ['insufficient_balance', 'deduction_refused'];

export function createWithdrawals(parts: {
  client: Client;
  journal: Journal;
  players: readonly Player[];
  random: () => number;
}): Withdrawals {
  const { client, journal, players, random } = parts;
  const free = new Set(players);
  const told: Told[] = [];
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

  /** Goes on asking with the same key until told; meanwhile the role asks for nothing else. */
  async function follow(player: Player, key: string, amount: number, first: Answer | undefined) {
    let answer = first;
    while (!isFinal(answer) && !givenUp) {
      await sleep(500 + random() * 500);
      answer = await send(player, key, amount);
    }
    const { withdraw_id: id, code } = answer?.body ?? {};
    told.push({
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
    told,
    ask() {
      const waiting = [...free];
      const player = waiting[Math.floor(random() * waiting.length)];
      if (player === undefined) return undefined;
      free.delete(player);
      const key = randomUUID();
      const amount = 1 + Math.floor(random() * MOST);
      journal.sent('withdraw', [key]);
      return send(player, key, amount).then((answer) => {
        void follow(player, key, amount, answer);
        return judgeAnswer(answer, { status: [200, 202], codes: refusals });
      });
    },
    async allTold(patienceMs) {
      for (const deadline = Date.now() + patienceMs; free.size < players.length; await sleep(100))
        if (Date.now() > deadline) givenUp = true;
    },
  };
}

/** A refusal that carries the withdrawal's id is what became of it, even when it is the game server that was away. */
function isFinal(answer: Answer | undefined): boolean {
  if (answer === undefined || !answer.isUniform || answer.status === 202) return false;
  const { status, body } = answer;
  return status < 500 ? status !== 429 : status === 502 && body.withdraw_id !== undefined;
}

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FinalReply } from '../money/load.ts';
import { clientFrom } from '../support/client.ts';
import { type Answer, meaningOf, type Observation } from './answers.ts';
import { PASSWORD, type Player } from './environment.ts';

/** The answers to all players. */
export interface Heard {
  readonly observations: Observation[];
  readonly replies: Reply[];
  /** Ids in answers of 200 or 202. */
  readonly accepted: Set<string>;
}

export interface Reply extends FinalReply {
  /** Undefined for a refusal. */
  readonly serverId: number | undefined;
}

/** A withdrawal request. */
interface Request {
  readonly key: string;
  readonly body: { readonly server_id: number; readonly role: string; readonly amount: number };
}

const MOST = 5;
const PAUSE_MS = 150;
/** With a failing GM interface, these are true. */
const refusals = ['deduction_refused', 'game_server_unavailable'];

/** A player who logs in, enters, is admitted by the game server and withdraws, on any instance, always naming one zone. */
export function createPlayer(options: { player: Player; urls: readonly string[]; heard: Heard }) {
  const { player, urls, heard } = options;
  const { account, home, roleName } = player;
  let entered = false;
  let first: { request: Request; reply: Reply } | undefined;

  const anyInstance = () => clientFrom(urls[Math.floor(Math.random() * urls.length)] ?? '', '203.0.113.1');

  /** Sends a request and records what the answer says about the zone; `toldBy` extracts the zone. */
  async function observe(
    what: string,
    send: () => Promise<Answer>,
    toldBy: (answer: Answer) => number | undefined,
  ): Promise<Answer> {
    const began = performance.now();
    const answer = await send();
    const isRefusal = what === 'withdraw' && refusals.includes(answer.body.code);
    const meaning = isRefusal ? undefined : meaningOf(answer, home, toldBy(answer));
    const { code, origin_server_id } = answer.body;
    const note = `${what} ${home}: ${answer.status} ${code ?? toldBy(answer)} ${origin_server_id ?? ''}`;
    if (meaning) heard.observations.push({ meaning, note, began, ended: performance.now() });
    return answer;
  }

  async function login(): Promise<string> {
    const send = () => anyInstance().post('/api/login', { account, password: PASSWORD });
    // Players who have not entered yet get no zone.
    const { body } = await observe('login', send, (answer) => (entered ? answer.body.server_id : home));
    return body.token;
  }

  /** The game server that the client is sent to checks the ticket. */
  async function enter(token: string): Promise<void> {
    const send = () => anyInstance().post('/api/enter_game', { server_id: home }, { token });
    const { status, body } = await observe('enter', send, (answer) => answer.body.server?.server_id);
    if (status !== 200) return;
    entered = true;
    const { server_id } = body.server;
    const claim = { account, token: body.token, server_id };
    await observe(
      'check',
      () => anyInstance().post('/api/check', claim),
      (answer) => answer.body.server_id,
    );
  }

  /** Repeats the request until its outcome is known. Once it is stored, every answer concerns the zone it was stored for. */
  async function withdrawUntilFinal(token: string, { key, body }: Request, keptFor?: number): Promise<Reply> {
    const headers = { 'idempotency-key': key };
    const send = () => anyInstance().post('/api/game/withdraw', body, { token, headers });
    const answeredZone = ({ body }: Answer) => body.server_id;
    for (let kept = keptFor; ; await sleep(PAUSE_MS)) {
      const answer = kept === undefined ? await observe('withdraw', send, answeredZone) : await send();
      const { withdraw_id: withdrawId, code, server_id: serverId } = answer.body;
      if (answer.status < 300) {
        heard.accepted.add(withdrawId);
        kept = serverId;
      }
      if (answer.status === 202 || answer.status === 503) continue;
      const reply = { key, status: answer.status, withdrawId, code, serverId };
      heard.replies.push(reply);
      return reply;
    }
  }

  return {
    home,
    /** Runs one visit; the first withdrawal is remembered. */
    async visit(): Promise<void> {
      const token = await login();
      await enter(token);
      const amount = 1 + Math.floor(Math.random() * MOST);
      const request = { key: randomUUID(), body: { server_id: home, role: roleName, amount } };
      const reply = await withdrawUntilFinal(token, request);
      first ??= { request, reply };
      await sleep(Math.random() * 2 * PAUSE_MS);
    },

    /** Reports whether repeating the first withdrawal gives the same answer. */
    async repeatsFirst(): Promise<boolean> {
      if (!first) return false;
      const again = await withdrawUntilFinal(await login(), first.request, first.reply.serverId ?? home);
      return JSON.stringify(again) === JSON.stringify(first.reply);
    },

    /** Returns the zones named by a login and by the list of roles. */
    async zones(): Promise<{ login: number; roles: number; names: string[] }> {
      const client = anyInstance();
      const { body } = await client.post('/api/login', { account, password: PASSWORD });
      const list = () => client.get(`/api/game/roles?server_id=${home}`, { token: body.token });
      let answer = await list();
      // Game databases have a timeout, which a busy machine may exceed.
      while (answer.status === 502) answer = await list();
      const listed = answer.body;
      const names = (listed.roles ?? []).map(({ name }: { name: string }) => name);
      return { login: body.server_id, roles: listed.server_id ?? home, names };
    },
  };
}

export type VisitingPlayer = ReturnType<typeof createPlayer>;

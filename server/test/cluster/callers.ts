import { hash } from 'node:crypto';
import type { Player } from '../money/environment.ts';
import type { Client } from './client.ts';
import { PASSWORD, PASSWORD_HASH } from './deployment.ts';
import type { Journal } from './journal.ts';
import type { MailServer } from './mail-server.ts';
import type { Kind } from './timeline.ts';
import { judgeAnswer, type Verdict } from './verdict.ts';

/** One function per kind of request. */
export type Callers = Record<Exclude<Kind, 'withdraw'>, () => Promise<Verdict>>;

export interface CallerParts {
  readonly client: Client;
  readonly journal: Journal;
  readonly mail: Pick<MailServer, 'codeFor'>;
  readonly players: readonly Player[];
  readonly zones: number;
  readonly random: () => number;
}

/** Mostly single lines and occasionally a handful, as game servers send them. */
const batches = [1, 1, 6, 1, 1, 10];

export function createCallers(parts: CallerParts): Callers {
  const { client, journal, mail, players, zones, random } = parts;
  const prefix = hash('md5', String(Math.random())).slice(0, 6);
  let serial = 0;
  const randomPlayer = () => players[Math.floor(random() * players.length)] as Player;

  return {
    async login() {
      const { account } = randomPlayer();
      const answer = await client.send({ path: '/api/login', body: { account, password: PASSWORD } });
      return judgeAnswer(answer, { status: [200], fits: (body) => body.account === account });
    },

    async check() {
      const { account, token } = randomPlayer();
      const body = { account, token: random() < 0.5 ? token : PASSWORD_HASH };
      const answer = await client.send({ path: '/api/check', body });
      return judgeAnswer(answer, { status: [200], fits: ({ valid }) => valid === true });
    },

    async list() {
      const answer = await client.send({ method: 'GET', path: '/api/server/list' });
      return judgeAnswer(answer, {
        status: [200],
        fits: ({ servers }) => Array.isArray(servers) && servers.length === zones,
      });
    },

    async enter() {
      const { account, token, zone } = randomPlayer();
      journal.sent('enter', [account]);
      const answer = await client.send({
        path: '/api/enter_game',
        token,
        body: { server_id: zone.serverId },
      });
      if (answer?.status === 200) journal.acknowledged('enter', [account]);
      return judgeAnswer(answer, { status: [200], fits: (body) => body.account === account });
    },

    async chat() {
      const size = batches[serial % batches.length] ?? 1;
      const texts = Array.from({ length: size }, () => `${prefix} says ${++serial}`);
      const records = texts.map((content) => ({ server_id: 1, role: 'Hero', content }));
      journal.sent('chat', texts);
      const answer = await client.send({
        path: '/api/report/chat',
        body: size === 1 ? (records[0] ?? {}) : { records },
      });
      if (answer?.status === 200) journal.acknowledged('chat', texts);
      return judgeAnswer(answer, { status: [200], fits: ({ accepted }) => accepted === size });
    },

    async register() {
      const account = `new_${prefix}_${++serial}`;
      const email = `${account}@example.com`;
      const sent = await client.send({ path: '/api/send_code', body: { email } });
      const allowed = judgeAnswer(sent, { status: [200] });
      const mayArrive = sent?.body.code === 'mail_unavailable';
      if (allowed.outcome !== 'ok' && !mayArrive) return allowed;
      const code = await mail.codeFor(email);
      if (code === undefined)
        return mayArrive ? allowed : { outcome: 'unanswered', note: 'the mail did not come' };
      journal.sent('register', [account]);
      const answer = await client.send({
        path: '/api/register',
        body: { account, password: PASSWORD, email, code },
      });
      if (answer?.status === 201) journal.acknowledged('register', [account]);
      return judgeAnswer(answer, { status: [201], fits: (body) => body.account === account });
    },
  };
}

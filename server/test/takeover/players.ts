import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeIn } from '../../../test-support/mail.ts';
import { passwords } from './old-platform.ts';

export type Side = 'old' | 'new';
export type Kind = 'login' | 'check' | 'register' | 'password' | 'wrong login';

export interface Player {
  readonly account: string;
  password: string;
  readonly address: string;
  /** The last phase in which the player sent anything. */
  phase: string;
}

/** What a player experienced. */
export interface Event {
  readonly kind: Kind;
  /** Who answered. */
  readonly side: Side;
  readonly from: number;
  readonly to: number;
  readonly phase: string;
}

export interface Journal {
  readonly events: Event[];
  /** Requests without an answer, or with one that is not true. */
  readonly failures: string[];
  /** Changes that were answered with `Retry-After` and sent again. */
  deferred: number;
}

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of both services are looked into
  readonly body: any;
}

export interface Circumstances {
  readonly url: string;
  /** Folder with the mails of the new service. */
  readonly outbox: string;
  readonly journal: Journal;
  readonly phase: () => string;
}

const ANSWER_WITHIN_MS = 30_000;
const RETRY_MS = 100;
/** Changes wait as long as a cut-over takes, including the start of its commands. */
const GIVE_UP_MS = 240_000;
export const WRONG = 'Not-the-password-1';

/** The requests of players through the front, in the form that the service behind it takes. */
export function createVisit({ url, outbox, journal, phase }: Circumstances) {
  const readCode = codeReader(outbox);

  /** Sends one request on a separate connection. */
  function post(path: string, player: Player, body: object, token?: string): Promise<Answer> {
    const text = JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const outgoing = request(
        `${url}${path}`,
        {
          method: 'POST',
          agent: false,
          timeout: ANSWER_WITHIN_MS,
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(text),
            'x-forwarded-for': player.address,
            ...(token && { authorization: `Bearer ${token}` }),
          },
        },
        async (answer) => {
          try {
            const received = Buffer.concat(await answer.toArray()).toString();
            const isJson = /json/.test(answer.headers['content-type'] ?? '');
            resolve({ status: answer.statusCode ?? 0, body: isJson ? JSON.parse(received) : undefined });
          } catch (error) {
            reject(error);
          }
        },
      );
      outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in time')));
      outgoing.on('error', reject);
      outgoing.end(text);
    });
  }

  const isOld = ({ status, body }: Answer) => status === 200 && body?.code !== undefined;
  const isYes = (answer: Answer) => (isOld(answer) ? answer.body.code === 0 : answer.status < 300);
  const isNo = (answer: Answer) => (isOld(answer) ? answer.body.code === 1 : answer.status === 401);

  /**
   * Sends a request until the answer is final, and records it if it is as expected. `send` returns undefined if the other
   * service answered, which takes another form.
   */
  async function expectAnswer(
    kind: Kind,
    player: Player,
    send: () => Promise<Answer | undefined>,
    isExpected = isYes,
  ): Promise<Answer | undefined> {
    const from = performance.now();
    player.phase = phase();
    try {
      while (performance.now() - from < GIVE_UP_MS) {
        const answer = await send();
        if (answer === undefined) continue;
        if (answer.status === 503 && (kind === 'register' || kind === 'password')) {
          journal.deferred++;
          await sleep(RETRY_MS);
        } else if (isExpected(answer)) {
          const side = isOld(answer) ? 'old' : 'new';
          journal.events.push({ kind, side, from, to: performance.now(), phase: phase() });
          return answer;
        } else throw new Error(`${answer.status} ${answer.body?.code ?? ''}`);
      }
      throw new Error('sent again for too long');
    } catch (error) {
      journal.failures.push(`${kind} of ${player.account} during ${phase()}: ${(error as Error).message}`);
      return undefined;
    }
  }

  const login = (player: Player) =>
    expectAnswer('login', player, () =>
      post('/api/login', player, { account: player.account, password: player.password }),
    );

  return {
    login,
    loginWrong: (player: Player) =>
      expectAnswer(
        'wrong login',
        player,
        () => post('/api/login', player, { account: player.account, password: WRONG }),
        isNo,
      ),
    check: (player: Player) =>
      expectAnswer('check', player, () =>
        post('/api/check', player, { account: player.account, token: passwords.hash(player.password) }),
      ),

    /** The new service requires a code from a mail; the old one has none. */
    async register(player: Player): Promise<boolean> {
      const { account, password } = player;
      const email = `${player.address}@example.com`;
      let code: string | undefined;
      const answer = await expectAnswer('register', player, async () => {
        const fields = { account, password, email };
        const given = await post('/api/register', player, code === undefined ? fields : { ...fields, code });
        if (given.status !== 400 || code !== undefined) return given;
        const sent = await post('/api/send_code', player, { email, purpose: 'register' });
        if (sent.status === 404) return undefined;
        // A slow mail server: the mail still arrives.
        if (sent.status !== 200 && sent.body?.code !== 'mail_unavailable') return sent;
        code = await readCode(email);
        return undefined;
      });
      return answer !== undefined;
    },

    /** Each service has its own form, and the new one requires a login first. */
    async changePassword(player: Player, password: string, lastSide: Side): Promise<void> {
      const { account, password: old_password } = player;
      let side = lastSide;
      const answer = await expectAnswer('password', player, async () => {
        const given =
          side === 'old'
            ? await post('/api/password', player, { account, old_password, password })
            : await changeWithLogin(player, password);
        if (given.status !== 404 && given.status !== 401) return given;
        side = side === 'old' ? 'new' : 'old';
        return undefined;
      });
      if (answer) player.password = password;
    },
  };

  async function changeWithLogin(player: Player, password: string): Promise<Answer> {
    const { account, password: old_password } = player;
    const session = await post('/api/login', player, { account, password: old_password });
    return post('/api/account/password', player, { old_password, password }, session.body?.token);
  }
}

export type Visit = ReturnType<typeof createVisit>;

/** Returns the code in the mail to an address. Reads each mail of the folder once. */
function codeReader(folder: string): (email: string) => Promise<string> {
  const codes = new Map<string, string>();
  const read = new Set<string>();
  function readNewMails(): void {
    // The first mail creates the folder.
    const names = existsSync(folder) ? readdirSync(folder) : [];
    for (const name of names.filter((each) => /^\d.*\.eml$/.test(each) && !read.has(each))) {
      const raw = readFileSync(join(folder, name), 'utf8');
      read.add(name);
      codes.set(/^To:.*?([^\s<>]+@[^\s<>]+)/im.exec(raw)?.[1] ?? '', codeIn(raw));
    }
  }
  return async (email) => {
    for (const deadline = Date.now() + ANSWER_WITHIN_MS; Date.now() < deadline; await sleep(20)) {
      readNewMails();
      const code = codes.get(email);
      if (code !== undefined) return code;
    }
    throw new Error(`no mail to ${email}`);
  };
}

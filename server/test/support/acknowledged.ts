import { codeIn, hasCode, waitForOutboxMail } from '../../../test-support/mail.ts';
import { openDatabase } from '../../src/db/open.ts';

export async function post(url: string, path: string, body: object) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

let serial = 0;

/** Reports some lines of chat. Returns their texts and the answer. */
export async function report(url: string) {
  const lines = Array.from({ length: 50 }, () => `line ${++serial} ${'x'.repeat(400)}`);
  const records = lines.map((content) => ({ server_id: 1, role: 'Hero', content }));
  return { lines, ...(await post(url, '/api/report/chat', { records })) };
}

/** Reports until one is refused. Returns the acknowledged lines and the refusal. */
export async function reportUntilRefused(url: string) {
  const acknowledged: string[] = [];
  for (;;) {
    const { lines, status, body } = await report(url);
    if (status !== 200) return { acknowledged, refusal: { status, code: body.code } };
    acknowledged.push(...lines);
  }
}

export async function linesIn(databaseUrl: string): Promise<string[]> {
  const db = await openDatabase(databaseUrl);
  try {
    const rows = await db.kysely.selectFrom('chat').select('content').execute();
    return rows.map(({ content }) => content);
  } finally {
    await db.close();
  }
}

export const unlimitedChat = { chat: { limit: 1_000_000, bytes: 10 ** 12 } };

const PASSWORD = 'Correct-Horse-42';

interface Accounts {
  readonly url: string;
  readonly outbox: string;
}

export const emailOf = (account: string) => `${account}@example.com`;

/** Requests a code for the account and reads it from the mail. */
export async function codeFor({ url, outbox }: Accounts, account: string): Promise<string> {
  const email = emailOf(account);
  const { status } = await post(url, '/api/send_code', { email });
  if (status !== 200) throw new Error(`the code for ${account} was refused with ${status}`);
  return codeIn(await waitForOutboxMail(outbox, email, [], hasCode));
}

/** Registers the account, with a code that it requests unless there is one. */
export async function register(service: Accounts, account: string, code?: string) {
  const form = { account, password: PASSWORD, email: emailOf(account) };
  return post(service.url, '/api/register', { ...form, code: code ?? (await codeFor(service, account)) });
}

export const logIn = ({ url }: Accounts, account: string) =>
  post(url, '/api/login', { account, password: PASSWORD });

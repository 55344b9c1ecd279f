import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, startProcess, tempDir } from '../../test-support/process.ts';

const root = join(import.meta.dirname, '../..');
const entry = join(root, 'playground/src/main.ts');

export const DEMO = { account: 'demo_player', password: 'lanterns-at-night' };
export const PASSWORD = 'Moonlight-over-42';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
}

/** The playground as `npm start` runs it, on its own port and in its own folder. */
export async function startPlayground(options: { folder?: string; port?: number; args?: string[] } = {}) {
  const port = options.port ?? (await freePort());
  const folder = options.folder ?? join(tempDir('playground'), 'data');
  const url = `http://127.0.0.1:${port}`;
  const running = await startProcess({
    command: process.execPath,
    args: ['--no-memory-reducer', entry, '--port', String(port), '--data', folder, ...(options.args ?? [])],
    ready: async () => (await fetch(`${url}/api/health/ready`, { signal: AbortSignal.timeout(5000) })).ok,
    deadlineMs: 60_000,
  });

  async function ask(method: string, path: string, body?: unknown, token?: string): Promise<Answer> {
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }
  const get = (path: string, token?: string) => ask('GET', path, undefined, token);
  const post = (path: string, body: unknown, token?: string) => ask('POST', path, body, token);

  /** Reads the code as a newcomer does: from the mailbox page's own data. */
  async function codeFor(email: string): Promise<string> {
    for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(50)) {
      const { body } = await get('/playground/mail/messages.json');
      const mail = body.messages.find(({ to }: { to: string }) => to === email);
      if (mail) return mail.code;
    }
    throw new Error(`no code for ${email}`);
  }

  async function register(account: string): Promise<string> {
    const email = `${account}@example.com`;
    await post('/api/send_code', { email });
    const form = { account, password: PASSWORD, email, code: await codeFor(email) };
    return (await post('/api/register', form)).body.token;
  }

  return { ...running, port, url, folder, get, post, codeFor, register };
}

export type Playground = Awaited<ReturnType<typeof startPlayground>>;

/** Runs a script of this repository to its end. */
export function runScript(path: string, args: string[] = [], input = '') {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [join(root, path), ...args],
      { timeout: 60_000 },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

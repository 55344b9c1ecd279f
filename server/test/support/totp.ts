import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { onTestFinished, vi } from 'vitest';
import { requireExecutable } from '../../../test-support/executables.ts';
import type { Client } from './client.ts';
import { PASSWORD } from './test-app.ts';

const STEP_MS = 30_000;

/** Stops the clock in the middle of a step, so that no code expires in transit. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / STEP_MS) * STEP_MS + STEP_MS / 2 });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}

/** Advances the clock by steps, so that codes change. */
export const moveClock = (steps: number) => void vi.setSystemTime(Date.now() + steps * STEP_MS);

/** Computes codes with an independent implementation. */
export async function codeAt(secret: string, offsetS = 0): Promise<string> {
  const at = `@${Math.floor(Date.now() / 1000) + offsetS}`;
  const oathtool = requireExecutable('oathtool');
  const { stdout } = await promisify(execFile)(oathtool, ['--totp', '--base32', `--now=${at}`, secret]);
  return stdout.trim();
}

/** Turns two-factor login on with the code of the step before, so that those of this step and of the next are not used. */
export async function turnOn(client: Pick<Client, 'post'>, token: string, password = PASSWORD) {
  const { secret } = (await client.post('/api/account/totp', { password }, { token })).body;
  const code = await codeAt(secret, -30);
  const confirmed = await client.post('/api/account/totp/confirm', { code }, { token });
  if (confirmed.status !== 200) throw new Error(`turning it on answered ${confirmed.text}`);
  return { secret: String(secret), recovery: confirmed.body.recovery_codes as string[] };
}

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findExecutable } from '../../test-support/executables.ts';
import { type Gatehouse, startGatehouse } from '../../test-support/gatehouse.ts';
import { linesIn, logIn, register, report, unlimitedChat } from './support/acknowledged.ts';
import { workerProcesses } from './support/worker-processes.ts';

const prlimit = process.platform === 'linux' ? findExecutable('prlimit') : undefined;
const MIB = 1024 ** 2;
/** V8 or the C++ library ends the process, depending on which allocation fails. */
const OUT_OF_MEMORY = /out of memory|std::bad_alloc/i;

/** Lets a running process allocate this much more memory: the kernel refuses the rest. */
function limitMemory(pid: number, moreBytes: number): void {
  const [, kib] = /^VmData:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  execFileSync('prlimit', ['--pid', String(pid), `--data=${Number(kib) * 1024 + moreBytes}`, '--core=0']);
}

/** Opens connections that send all of a large body but its end, so that the service must hold it. */
function openUnfinishedReports({ port }: Gatehouse, count: number): void {
  const content = 'x'.repeat(1900);
  const records = Array.from({ length: 100 }, () => ({ server_id: 1, role: 'Hero', content }));
  const body = JSON.stringify({ records });
  const head = `POST /api/report/chat HTTP/1.1\r\nHost: gatehouse\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  for (let opened = 0; opened < count; opened++) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write(head + body.slice(0, -1));
    onTestFinished(() => void socket.destroy());
  }
}

/** Adds load until it is over, with reports and registrations. Returns those that were acknowledged. */
async function loadUntil(service: Gatehouse, isOver: () => boolean) {
  const lines: string[] = [];
  const accounts: string[] = [];
  for (let round = 0; !isOver(); round++) {
    openUnfinishedReports(service, 60);
    const account = `player${round}`;
    const [reported, registered] = await Promise.allSettled([
      report(service.url),
      register(service, account),
    ]);
    if (reported.status === 'fulfilled' && reported.value.status === 200) lines.push(...reported.value.lines);
    if (registered.status === 'fulfilled' && registered.value.status === 201) accounts.push(account);
  }
  return { lines, accounts };
}

async function expectStored(service: Gatehouse, { lines, accounts }: Awaited<ReturnType<typeof loadUntil>>) {
  const { url } = service.settings.database as { url: string };
  expect(lines.length).toBeGreaterThan(0);
  expect(accounts.length).toBeGreaterThan(0);
  expect(await linesIn(url)).toEqual(expect.arrayContaining(lines));
  for (const account of accounts) expect((await logIn(service, account)).status).toBe(200);
}

const settings = {
  ...unlimitedChat,
  code_throttle: { address: { limit: 100_000 } },
};

describe.skipIf(prlimit === undefined)('a memory limit', () => {
  test('when one of two processes reaches it, then it is replaced, and what was acknowledged is there', {
    timeout: 180_000,
  }, async () => {
    const service = await startGatehouse({ settings, args: ['--workers', '2'] });
    onTestFinished(() => service.kill());
    const { workers } = workerProcesses(() => service);
    await expect.poll(() => workers().length).toBe(2);
    const [victim = 0] = workers();
    limitMemory(victim, 30 * MIB);
    const deaths = () => service.logs().filter(({ msg }) => msg === 'worker died');
    const acknowledged = await loadUntil(service, () => deaths().length > 0);
    expect(deaths()).toMatchObject([{ worker: victim }]);
    expect(service.output()).toMatch(OUT_OF_MEMORY);
    await expect.poll(() => workers().filter((pid) => pid !== victim).length).toBe(2);
    expect((await report(service.url)).status).toBe(200);
    await expectStored(service, acknowledged);
  });

  test('when the only process reaches it, then it says so and ends, and after a restart what was acknowledged is there', {
    timeout: 180_000,
  }, async () => {
    const service = await startGatehouse({ settings });
    onTestFinished(() => service.kill());
    limitMemory(service.pid, 30 * MIB);
    const acknowledged = await loadUntil(service, () => !service.isRunning);
    expect(service.output()).toMatch(OUT_OF_MEMORY);
    // As systemd does by `Restart=always` of deploy/gatehouse.service.
    await service.restart();
    expect((await report(service.url)).status).toBe(200);
    await expectStored(service, acknowledged);
  });
});

import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { tempDir } from '../../../test-support/process.ts';
import { openLog } from './logger.ts';

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).n);

test('when more is logged than one write holds, then every line is written, whole and in order', async () => {
  const file = join(tempDir('log'), 'new', 'folder', 'service.log');
  const { log, flush } = openLog({ level: 'info', file });
  const numbers = Array.from({ length: 5000 }, (_, n) => n);
  for (const n of numbers) {
    log.info({ n, text: '战士'.repeat(20) }, 'line');
    if (n % 500 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await flush();
  expect(linesOf(readFileSync(file, 'utf8'))).toEqual(numbers);
});

test('when the process ends by an error, then lines logged before are written', async () => {
  const source = `
    const { openLog } = await import(${JSON.stringify(join(import.meta.dirname, 'logger.ts'))});
    const { log } = openLog({ level: 'info', file: undefined });
    for (let n = 0; n < 3000; n++) log.info({ n }, 'line');
    throw new Error('unforeseen');
  `;
  const program = promisify(execFile)(process.execPath, ['--input-type=module', '-e', source]);
  const { stdout, stderr } = await program.catch((error) => error);
  expect(stderr).toContain('unforeseen');
  expect(linesOf(stdout)).toHaveLength(3000);
});

test('when the log is a new file, then only its owner can read it', async () => {
  const file = join(tempDir('log'), 'service.log');
  await openLog({ level: 'info', file }).flush();
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('when the log cannot be opened, then the error names its file', () => {
  const file = join(import.meta.filename, 'service.log');
  expect(() => openLog({ level: 'info', file })).toThrow(`cannot write the log ${file}`);
});

test('when several processes log into one pipe, then no line is interleaved', async () => {
  const worker = `
    const { openLog } = await import(${JSON.stringify(join(import.meta.dirname, 'logger.ts'))});
    const { log, flush } = openLog({ level: 'info', file: undefined });
    for (let n = 0; n < 5000; n++) {
      log.info({ n, text: 'x'.repeat(n % 200) }, 'line');
      if (n % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await flush();
  `;
  const command = '"$0" --input-type=module -e "$1" & "$0" --input-type=module -e "$1" & wait';
  const { stdout } = await promisify(execFile)('sh', ['-c', command, process.execPath, worker], {
    maxBuffer: 64 * 1024 * 1024,
  });
  expect(linesOf(stdout)).toHaveLength(10_000);
});

/** A program whose log is on a full disk. */
const onFullDisk = `
  const { openLog } = await import(${JSON.stringify(join(import.meta.dirname, 'logger.ts'))});
  const { log } = openLog({ level: 'info', file: '/dev/full' });
  for (let n = 0; n < 1000; n++) log.info({ n }, 'line');
  await new Promise((resolve) => setTimeout(resolve, 300));
  process.stdout.write('still here');
`;

test('when the disk is full, then the log says so once and the service keeps running', async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    onFullDisk,
  ]);
  expect(stdout).toBe('still here');
  expect(stderr.match(/log lines are lost/g)).toHaveLength(1);
});

test('when standard error is on the full disk too, then the service keeps running', async () => {
  const command = '"$0" --input-type=module -e "$1" 2>/dev/full';
  const { stdout } = await promisify(execFile)('sh', ['-c', command, process.execPath, onFullDisk]);
  expect(stdout).toBe('still here');
});

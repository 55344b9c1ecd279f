import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { requireExecutable } from '../../test-support/executables.ts';
import { tempDir } from '../../test-support/process.ts';
import { LOAD_CORE, pinned } from './cores.ts';

const CONNECTIONS = 64;
const script = join(import.meta.dirname, 'load.lua');

export interface RequestParts {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Renders a request as raw bytes. */
export function rawRequest({ method = 'GET', path, headers = {}, body }: RequestParts): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = Object.entries({
    host: '127.0.0.1',
    ...(text !== '' && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${path} HTTP/1.1`, ...lines, '', text].join('\r\n');
}

/** Writes requests to a file for the load generator. */
export function requestFile(requests: readonly string[]): string {
  const file = join(tempDir('requests'), 'requests');
  writeFileSync(file, requests.join('\0'));
  return file;
}

export interface Load {
  readonly port: number;
  readonly file: string;
  readonly seconds: number;
  /** Index of the first request to send. */
  readonly offset?: number;
  readonly connections?: number;
  /** Does not pin the load generator to a core. */
  readonly anywhere?: boolean;
}

export interface LoadResult {
  readonly requests: number;
  readonly rate: number;
  /** Number of responses with status 400 and above. */
  readonly refused: number;
  readonly p50: number;
  readonly p99: number;
}

/** Runs one burst of load from its own process, keep-alive. Throws if a connection breaks. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const connections = load.connections ?? CONNECTIONS;
  const command = [
    requireExecutable('wrk'),
    ...['-t1', `-c${connections}`, `-d${load.seconds}s`, '--timeout=20s', '-s', script],
    ...[`http://127.0.0.1:${load.port}/`, '--', load.file, String(load.offset ?? 0)],
  ];
  const [program = '', ...args] = load.anywhere ? command : pinned(command, LOAD_CORE);
  const { stdout } = await promisify(execFile)(program, args);
  const line = /^RESULT (.*)$/m.exec(stdout)?.[1];
  if (line === undefined) throw new Error(`the load generator printed no result:\n${stdout}`);
  const { requests, microseconds, refused, broken, p50, p99 } = JSON.parse(line);
  if (broken > 0 || requests === 0)
    throw new Error(`${broken} broken connections, ${requests} answers from port ${load.port}`);
  return { requests, rate: (requests / microseconds) * 1e6, refused, p50: p50 / 1000, p99: p99 / 1000 };
}

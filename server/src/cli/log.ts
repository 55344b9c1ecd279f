import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { namesInLog } from '../http/access-log.ts';
import { command, type Options, settingsOf } from './context.ts';
import { usage } from './failure.ts';
import { print, printLine } from './output.ts';
import { pastMoment, time } from './time.ts';

interface Line {
  readonly time?: string;
  readonly account?: string;
  readonly code?: string;
  readonly throttle?: string;
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly address?: string;
  readonly request_id?: string;
}

interface Refused {
  readonly at: number;
  /** Equal for requests that were refused in the same way. */
  readonly same: Readonly<Record<'request' | 'status' | 'code' | 'throttle' | 'address', unknown>>;
  readonly request_id: string | undefined;
}

export function logCommand(): Command {
  return command('log').addCommand(why());
}

function why(): Command {
  return command('why', 'show why requests of an account were refused')
    .argument('<account>')
    .option('--since <time>', 'since a time, or in the last 7d, 12h, 30m; default 7d', pastMoment)
    .option('--file <file>', 'the log file, - for standard input; default log.file')
    .action(async (account: string, options: Options & { since?: number; file?: string }) => {
      const { log, auth } = settingsOf(options);
      const file = options.file ?? log.file;
      if (file === undefined)
        throw usage(
          'the log goes to standard output: journalctl -u gatehouse -o cat | gatehouse log why … --file -',
        );
      const since = options.since ?? pastMoment('7d');
      // A line may be older than the current settings or the first secret.
      const names = namesInLog(account, auth.jwt_secret);
      const refused: Refused[] = [];
      for await (const line of linesOf(file)) {
        const at = Date.parse(line.time ?? '');
        if (line.account === undefined || !names.has(line.account) || !(at >= since)) continue;
        const { method, path, status, code, throttle, address, request_id } = line;
        const same = { request: `${method} ${path}`, status, code, throttle, address };
        refused.push({ at, same, request_id });
      }
      refused.sort((a, b) => a.at - b.at);
      const rows = refused.map(({ at, same, request_id }) => ({ at: time(at), ...same, request_id }));
      print(options.json ? rows : grouped(refused), {
        ...options,
        empty: `no request of ${account} was refused since ${time(since)}`,
      });
      if (options.json) return;
      if (refused.length === 0 && log.accounts === 'hash')
        printLine(
          'lines from before auth.jwt_secret was replaced are found only while it lists the old secret too',
        );
      if (log.accounts === 'none')
        printLine('log.accounts is "none": newer lines do not contain account names');
    });
}

/** Joins equal refusals, oldest first: a client that tries again and again would fill the list. */
function grouped(refused: readonly Refused[]): object[] {
  const groups = Map.groupBy(refused, ({ same }) => JSON.stringify(same)).values();
  return [...groups].map((group) => {
    const [first, last] = [group[0], group.at(-1)];
    return {
      first: time(first?.at ?? null),
      last: time(last?.at ?? null),
      times: group.length,
      ...last?.same,
      request_id: last?.request_id,
    };
  });
}

async function* linesOf(file: string): AsyncGenerator<Line> {
  const input = file === '-' ? process.stdin : createReadStream(file);
  const failed = new Promise<never>((_, reject) => input.once('error', reject));
  failed.catch(() => {});
  for await (const text of createInterface({ input })) {
    if (!text.includes('"account":')) continue;
    try {
      yield JSON.parse(text) as Line;
    } catch {
      // A truncated line, or one from another program.
    }
  }
  await Promise.race([failed, Promise.resolve()]);
}

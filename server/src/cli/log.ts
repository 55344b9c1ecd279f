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
      const rows: object[] = [];
      for await (const line of linesOf(file)) {
        const at = Date.parse(line.time ?? '');
        if (line.account === undefined || !names.has(line.account) || !(at >= since)) continue;
        const { method, path, status, code, throttle, address, request_id } = line;
        rows.push({
          at: time(at),
          request: `${method} ${path}`,
          status,
          code,
          throttle,
          address,
          request_id,
        });
      }
      print(rows, {
        ...options,
        empty: `no request of ${account} was refused since ${time(since)}`,
      });
      if (!options.json && log.accounts === 'none')
        printLine('log.accounts is "none": newer lines do not contain account names');
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

import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { type Line, wordsOf } from '../features/conformance/line.ts';
import { reportPage } from '../features/conformance/report.ts';
import { type ReportLanguage, reportLanguages } from '../features/conformance/texts/index.ts';
import { ownService } from '../integrations/own-service.ts';
import { ownUrl } from '../urls/own-url.ts';
import { command, nonEmpty, type Options, oneOf, positive, wholeNumber, withDatabase } from './context.ts';
import { usage } from './failure.ts';
import { isChinese } from './language.ts';
import { readable } from './operate.ts';
import { print, printLine } from './output.ts';
import { time } from './time.ts';

interface TestOptions extends Options {
  readonly role?: string;
  readonly amount?: number;
  readonly full?: boolean;
  readonly account?: string;
  readonly url?: string;
  readonly report?: string;
  readonly language: ReportLanguage;
}

const languages = Object.keys(reportLanguages) as ReportLanguage[];

/** Shows operators and the game's authors whether a zone works. Moves nothing unless a role and an amount are given. */
export function zoneTest(): Command {
  return command(
    'test',
    'test a zone, its game and its GM interface without moving money, and write a report',
  )
    .argument('<id>', 'zone ID', wholeNumber)
    .option('--account <account>', 'one of your accounts, used to create tokens', nonEmpty)
    .option('--role <role>', 'one of your roles to read, by ID or name')
    .option('--amount <amount>', 'withdraw this amount from the role and check the result', positive)
    .option('--full', 'with --amount: also run checks that can take more from a faulty game')
    .option('--url <url>', 'URL of the service, if it does not run on its own port here', httpUrl)
    .option('--report <file>', 'write an HTML report of the results and the fixes')
    .option(
      '--language <language>',
      `language of the report: ${languages.join(', ')}`,
      oneOf(languages),
      'zh',
    )
    .action((serverId: number, options: TestOptions) =>
      withDatabase(options, async (db, settings) => {
        const { role, amount, full, account } = options;
        if (amount !== undefined && role === undefined) throw usage('--amount needs --role');
        if (full && amount === undefined) throw usage('--full needs --role and --amount');
        const url = options.url ?? ownUrl(settings);
        const service = url === undefined ? undefined : ownService(url);
        const isExpected = options.url !== undefined;
        // Loads much that other zone commands do not need.
        const { openConformance } = await import('../features/conformance/admin/module.ts');
        const run = openConformance({ db, settings });
        const test = run({ serverId, role, amount, full, account, service, isExpected });
        const found = await readable(test, `there is no zone ${serverId}`);
        printResult(found.lines, options);
        if (options.report !== undefined) {
          const made = { time: String(time(Date.now())).replace('T', ' '), version: manifest.version };
          const page = reportPage({
            ...found,
            ...made,
            language: options.language,
            again: callOf(serverId, options),
          });
          writeFileSync(options.report, page);
          if (!options.json) printLine(`report: ${options.report}`);
        }
        const failed = found.lines.filter(({ result }) => result === 'failed').length;
        const tried = found.lines.filter(({ result }) => result !== 'skipped').length;
        if (failed > 0) throw new Error(`zone ${serverId}: ${failed} of ${tried} checks failed`);
      }),
    );
}

function printResult(lines: readonly Line[], { json }: TestOptions): void {
  const rows = lines.map((line) => {
    const { says, advice } = wordsOf(line, isChinese() ? reportLanguages.zh : reportLanguages.en);
    return { line, row: { check: line.check, result: line.result, detail: says }, advice };
  });
  if (json)
    print(
      rows.map(({ line, row, advice }) => ({ ...row, area: line.area, advice: advice ?? null })),
      { json },
    );
  else {
    print(rows.map(({ row }) => row));
    for (const { row, advice } of rows)
      if (row.result === 'failed' && advice !== undefined) printLine(`fix: ${row.check}: ${advice}`);
  }
}

function httpUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw usage('--url must be a URL such as http://127.0.0.1:3001');
  return url.origin;
}

/** Returns the command line to repeat the test, for readers of the report. */
function callOf(serverId: number, { account, role, amount, full }: TestOptions): string {
  const quoted = (text: string) => (/^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  return [
    `gatehouse zone test ${serverId}`,
    ...(account === undefined ? [] : [`--account ${quoted(account)}`]),
    ...(role === undefined ? [] : [`--role ${quoted(role)}`]),
    ...(amount === undefined ? [] : [`--amount ${amount}`]),
    ...(full ? ['--full'] : []),
    '--report zone.html',
  ].join(' ');
}

import { once } from 'node:events';
import type { Command } from 'commander';
import { decoderFor } from '../features/import/csv.ts';
import { createDialect, type Dialect } from '../features/shadow/exchange.ts';
import { openShadow } from '../features/shadow/module.ts';
import { compareRecorded } from '../features/shadow/recorded.ts';
import type { Shadow, ShadowResult } from '../features/shadow/shadow.ts';
import { proxyOldService } from '../integrations/old-service.ts';
import { startJob } from '../runtime/job.ts';
import { timeText } from '../runtime/time.ts';
import { command, type Options, wholeNumber, withDatabase } from './context.ts';
import { EXIT, usage } from './failure.ts';
import { say } from './language.ts';
import { print, printLine } from './output.ts';

interface ShadowOptions extends Options {
  readonly log?: string;
  readonly proxy?: string;
  readonly to?: string;
  readonly routes: string;
  readonly fields: string;
  readonly accepted?: string;
  readonly encoding: string;
  readonly recheck: number;
  readonly strict?: boolean;
}

const ROUTES = 'login=/api/login,login=/login.php,check=/api/check,check=/check.php';
const PROGRESS_MS = 60_000;

export function shadowCommand(): Command {
  return command('shadow', 'compare our answers to login and check with those of the old service')
    .option(
      '--log <file>',
      'compare recorded requests and answers, one JSON object per line; - for standard input',
    )
    .option('--proxy <address>', 'listen here, pass requests to the old service and compare its answers')
    .option('--to <url>', 'the old service behind --proxy')
    .option('--routes <pairs>', 'old paths of login and check: check=/api.php?do=check,…', ROUTES)
    .option('--fields <pairs>', 'old names of account, password and token: account=username,…', '')
    .option('--accepted <rule>', 'old answers that mean yes: json:FIELD=VALUE, text:TEXT or status:NUMBER')
    .option('--encoding <name>', 'encoding of old requests and answers: gb18030, big5', 'utf-8')
    .option('--recheck <seconds>', 'with --proxy, compare a difference again after this time', wholeNumber, 0)
    .option('--strict', 'exit with status 1 if anything differs')
    .action((options: ShadowOptions) => {
      if ((options.log === undefined) === (options.proxy === undefined))
        throw usage('specify what to compare: --log FILE, or --proxy ADDRESS --to URL');
      const addresses = options.proxy === undefined ? undefined : addressesOf(options);
      const dialect = createDialect({ ...options, decoder: decoderFor(options.encoding) });
      return withDatabase(options, async (db, settings) => {
        const shadow = openShadow({ db, settings, dialect, recheckMs: options.recheck * 1000 });
        if (addresses) await compareLive({ ...addresses, dialect, shadow });
        else await compareRecorded(options.log ?? '', shadow);
        printResult(shadow.result(), options);
      });
    });
}

interface Addresses {
  readonly host: string;
  readonly port: number;
  readonly target: URL;
}

function addressesOf({ proxy = '', to }: ShadowOptions): Addresses {
  const listen = URL.parse(`http://${/^\d+$/.test(proxy) ? `127.0.0.1:${proxy}` : proxy}`);
  if (listen?.port === '' || listen?.pathname !== '/') throw usage('--proxy must be HOST:PORT');
  const target = to === undefined ? null : URL.parse(to);
  if (!target || !/^https?:$/.test(target.protocol) || target.pathname !== '/')
    throw usage('--proxy needs --to http://HOST:PORT, the address of the old service');
  return { host: listen.hostname.replaceAll(/[[\]]/g, ''), port: Number(listen.port), target };
}

/** Passes requests on and compares until SIGINT or SIGTERM. */
async function compareLive({
  dialect,
  shadow,
  ...addresses
}: Addresses & { dialect: Dialect; shadow: Shadow }) {
  const proxy = await proxyOldService({
    ...addresses,
    wants: (url) => dialect.routeOf(url) !== undefined,
    passed: (exchange) => shadow.offer({ exchange, at: timeText(Date.now()) }),
    unreadable: shadow.countUnreadable,
  });
  note(`listening on ${addresses.host}:${proxy.port}; Ctrl-C ends the comparison and prints the result`);
  const progress = startJob({
    intervalMs: PROGRESS_MS,
    firstAfterMs: PROGRESS_MS,
    work: () => note(progressLine(shadow.result())),
  });
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await proxy.close();
  await shadow.finish();
  await progress.close();
}

/** Writes a line for people to standard error, so that standard output has only the result. */
const note = (text: string) => void process.stderr.write(`${say(text)}\n`);

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

function progressLine({ routes, dropped, failed }: ShadowResult): string {
  const compared = sum(routes.map((route) => route.compared));
  const differed = sum(routes.map((route) => route.differed));
  return `compared ${compared}, differing ${differed}, not compared ${dropped + failed}`;
}

function printResult(result: ShadowResult, { json, strict }: ShadowOptions): void {
  const { routes, differences, skipped, unreadable, dropped, failed } = result;
  const differed = sum(routes.map((route) => route.differed));
  if (json) printLine(JSON.stringify(result, null, 2));
  else {
    print(routes);
    if (differences.length > 0) printLine('');
    if (differed > differences.length)
      printLine(`the first ${differences.length} of ${differed} differences`);
    if (differences.length > 0) print(differences);
    printLine('');
    if (skipped > 0) printLine(`requests of other routes: ${skipped}`);
    if (unreadable > 0) printLine(`unreadable, see --fields, --accepted and --encoding: ${unreadable}`);
    if (dropped > 0) printLine(`not compared because too many were waiting: ${dropped}`);
    if (failed > 0) printLine(`not compared because the database did not answer: ${failed}`);
    printLine(differed === 0 ? 'no differences' : `answers that differ: ${differed}`);
  }
  if (strict && differed > 0) process.exitCode = EXIT.failed;
}

import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseArgs, styleText } from 'node:util';
import { type Finding, find } from './smoke/check.ts';
import { clientOf } from './smoke/client.ts';
import { journeyProbes, type Visitor } from './smoke/journey-probes.ts';
import { publicProbes } from './smoke/public-probes.ts';
import { headersProbe, webProbes } from './smoke/web-probes.ts';

const usage = `npm run smoke -- URL [flags]   checks a deployment from outside
  --register       also register a new account and enter a zone (needs the playground's mailbox)
  --account NAME   also log in and enter a zone; the password is asked for, or read from standard input
  --json           for scripts`;

interface Options {
  readonly url: URL;
  readonly register: boolean;
  readonly account: string | undefined;
  readonly json: boolean;
}

function readOptions(): Options {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      register: { type: 'boolean', default: false },
      account: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const url = URL.parse(positionals[0] ?? '');
  if (!url || !/^https?:$/.test(url.protocol) || positionals.length > 1)
    throw new Error('say which deployment: one http:// or https:// URL');
  return { url: new URL(url.origin), register: values.register, account: values.account, json: values.json };
}

/** Asks for the password. Not an argument, which every user of the machine could see. */
async function askPassword(account: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const { isTTY } = process.stdin;
  if (isTTY) process.stderr.write(`password of ${account}: `);
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTTY === true });
  try {
    for await (const line of lines) return line;
    throw new Error('no password was given on standard input');
  } finally {
    lines.close();
    if (isTTY) process.stderr.write('\n');
  }
}

async function visitorOf({ register, account }: Options): Promise<Visitor | undefined> {
  if (account !== undefined) return { account, password: await askPassword(account) };
  return register ? 'new' : undefined;
}

async function examine(options: Options, onFinding: (finding: Finding) => void): Promise<Finding[]> {
  const client = clientOf(options.url);
  const visitor = await visitorOf(options);
  const probes = [
    ...publicProbes(client),
    ...webProbes(client),
    ...(visitor ? journeyProbes(client, visitor) : []),
    headersProbe(client),
  ];
  const findings: Finding[] = [];
  for (const probe of probes) {
    const finding = await find(probe);
    findings.push(finding);
    onFinding(finding);
    if (client.seen.length === 0) break;
  }
  return findings;
}

const colours = { ok: 'green', note: 'yellow', failed: 'red' } as const;

function line({ name, outcome, detail }: Finding): string {
  const word = styleText(colours[outcome], outcome.padEnd(7), { stream: process.stdout });
  return `${word} ${name.padEnd(15)} ${detail}`;
}

async function run(): Promise<void> {
  const options = readOptions();
  const findings = await examine(options, (finding) => options.json || console.log(line(finding)));
  const failed = findings.filter(({ outcome }) => outcome === 'failed').length;
  if (options.json)
    console.log(JSON.stringify({ url: options.url.origin, ok: failed === 0, checks: findings }, null, 2));
  else console.log(failed === 0 ? `\n${options.url.origin} is well` : `\n${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

run().catch((error: Error) => {
  console.error(`smoke: ${error.message}\n${usage}`);
  process.exitCode = 1;
});

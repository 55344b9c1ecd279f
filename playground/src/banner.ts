import { relative } from 'node:path';
import { styleText } from 'node:util';
import type { DemoOperator } from './demo/operators.ts';
import { DEMO_PASSWORD, demoPeople } from './demo/people.ts';
import type { DemoZones } from './demo/zones.ts';
import type { Arguments } from './settings/arguments.ts';
import { logFile, settingsFile } from './settings/settings.ts';

interface Parts {
  readonly options: Arguments;
  readonly zones: DemoZones;
  readonly operators: readonly DemoOperator[];
  readonly pagesBuilt: boolean;
}

/** `styleText` respects NO_COLOR and omits colours if this is not a terminal. */
const paint = (format: Parameters<typeof styleText>[0], text: string) =>
  styleText(format, text, { stream: process.stdout });

const link = (url: string) => paint(['cyan', 'underline'], url);
const typed = (text: string) => paint('yellow', text);

const operatorLine = (operator: DemoOperator) =>
  `${operator.name.padEnd(13)} ${operator.link ? link(operator.link) : 'with the password you chose'}`;

function howToEnter(operators: readonly DemoOperator[]): string {
  const links = operators.filter(({ link: unused }) => unused !== undefined).length;
  if (links === 0) return ':';
  return links === operators.length
    ? '; choose a password with a single-use link:'
    : '; the links are for those who have not chosen a password yet:';
}

/** Renders the summary of what to open and what to try. */
export function banner({ options, zones, operators, pagesBuilt }: Parts): string {
  const { url, folder, isPublic } = options;
  const here = (path: string) => (relative('.', path).startsWith('..') ? path : relative('.', path));
  const control = zones.running[0]?.controlUrl;
  const account = demoPeople[0]?.account ?? '';
  const lines: [heading: string, ...text: string[]][] = [
    ['Open', `${link(url)}  register with any e-mail address, nothing is sent`],
    ['Codes', `${link(`${url}/playground/mail`)}  the mailbox: codes as they arrive`],
    ['Or log in', `${typed(account)} / ${typed(DEMO_PASSWORD)}  has roles and a balance`],
    ['Play', 'enter a zone, light lanterns for a minute, earn'],
    ['Withdraw', `${link(`${url}/withdraw`)}  a moment after you earn it`],
    ['Forum', `the forum button at ${link(`${url}/login`)}${isPublic ? ' (from this machine only)' : ''}`],
    ['Console', `${link(`${url}/console`)}  for operators${howToEnter(operators)}`],
    ...operators.map((each): [string, string] => ['', operatorLine(each)]),
    ['API', `${link(`${url}/api/docs`)}`],
    ['Operate', typed(`npm run gatehouse -- withdraw list --config ${here(settingsFile(folder))}`)],
    [
      'Break it',
      `${typed(`curl ${control}/faults --json '{"queue":["timeout_after"]}'`)}  withdraw from zone 1, and watch`,
    ],
    ['Data in', `${here(folder)}  delete it to start over; the log is ${here(logFile(folder))}`],
    ['Stop', 'Ctrl-C'],
  ];
  const warnings = [
    ...(pagesBuilt ? [] : ['The pages are not built; run: npm run build']),
    ...(isPublic ? ['Other machines can reach this, and anyone there can read the mailbox.'] : []),
  ];
  const bar = paint('red', '┃');
  return [
    '',
    `${bar} ${paint(['bold', 'yellow'], 'Gatehouse playground')}  ${paint('dim', 'everything on one machine, for trying out; not for production')}`,
    bar,
    ...lines.map(([heading, text]) => `${bar} ${paint('bold', heading.padEnd(10))} ${text}`),
    ...warnings.map((text) => `${bar} ${paint(['bold', 'red'], text)}`),
    '',
  ].join('\n');
}

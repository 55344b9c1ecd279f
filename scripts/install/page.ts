/** A fenced block of a page and its heading. */
export interface Block {
  readonly heading: string;
  readonly language: string;
  readonly text: string;
}

/** Returns every fenced block, in order. */
export function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let heading = '';
  let open: { language: string; lines: string[] } | undefined;
  for (const line of page.split('\n')) {
    const fence = /^ *```(\w*)/.exec(line);
    if (open && fence) {
      blocks.push({ heading, language: open.language, text: `${open.lines.join('\n')}\n` });
      open = undefined;
    } else if (open) open.lines.push(line);
    else if (fence) open = { language: fence[1] ?? '', lines: [] };
    else heading = /^#+ (.*)/.exec(line)?.[1] ?? heading;
  }
  return blocks;
}

export interface Secrets {
  readonly database: string;
  readonly games: string;
  readonly mail: string;
  readonly passwordKey: string;
  /** Output of the page's own `openssl rand`. */
  jwtSecret: string;
}

/** `network` may fetch packages; `inside` has its own ports and no outside network. */
type How = 'network' | 'inside' | 'sql' | 'settings' | 'other way';

export interface Step {
  readonly name: string;
  readonly how: How;
  readonly matches: RegExp;
  /** What is replaced in the block, and why. */
  readonly replaced?: string;
  readonly adapt?: (text: string, secrets: Secrets) => string;
  /** Checks that `gatehouse doctor` may report as failed at the end of the block. */
  readonly mayFail?: readonly string[];
}

const BLANK = '…';

/**
 * How each block of the install page is run. Blocks are matched by their commands, because translations have the same. In all of
 * them `systemctl` is replaced by scripts/install/systemctl.
 */
export const steps: readonly Step[] = [
  { name: 'packages', how: 'network', matches: /^apt-get install/ },
  {
    name: 'service',
    how: 'network',
    matches: /^useradd [\s\S]*git clone/,
    replaced: 'the address of the repository is a folder: the page leaves it open',
    adapt: (text) => text.replace(/(git clone )<[^>]+>/, '$1/srv/gatehouse.git'),
  },
  {
    name: 'account database',
    how: 'sql',
    matches: /^CREATE DATABASE gatehouse/,
    replaced: 'the password, which the page leaves open',
    adapt: (text, { database }) => text.replace(BLANK, database),
  },
  {
    name: 'game databases',
    how: 'sql',
    matches: /^CREATE USER gatehouse_games/,
    replaced: 'the password, which the page leaves open',
    adapt: (text, { games }) => text.replace(BLANK, games),
  },
  { name: 'settings file', how: 'inside', matches: /one-machine\.toml \/etc\/gatehouse/ },
  {
    name: 'settings',
    how: 'settings',
    matches: /^\[database\]\nurl = "mysql:/,
    replaced: 'the secrets, which the page leaves open',
    adapt: (text, secrets) =>
      text
        .replace(`gatehouse:${BLANK}@`, `gatehouse:${secrets.database}@`)
        .replace(`gatehouse_games:${BLANK}@`, `gatehouse_games:${secrets.games}@`)
        .replace(`user:${BLANK}@`, `user:${secrets.mail}@`)
        .replace(/(password_key = ")…/, `$1${secrets.passwordKey}`)
        .replace(/(jwt_secret = ")…/, `$1${secrets.jwtSecret}`),
  },
  {
    name: 'zone',
    how: 'inside',
    matches: /^gatehouse zone add[\s\S]*gatehouse doctor/,
    mayFail: ['service'],
  },
  { name: 'systemd', how: 'inside', matches: /systemctl enable --now gatehouse/ },
  {
    name: 'nginx',
    how: 'inside',
    matches: /nginx -t && systemctl reload nginx/,
    replaced: 'the comment that asks for changes is the changes: TLS and the name of the site',
    adapt: (text) => text.replace(/^(cp deploy\/nginx\.conf .*?) +#.*$/m, `$1\n${MARKED_LINES}`),
  },
  { name: 'doctor', how: 'inside', matches: /^gatehouse doctor\n$/ },
  {
    name: 'package',
    how: 'other way',
    matches: /^install -d \S+\ntar -xzf gatehouse-/,
    replaced: 'run only with --package, in the place of git clone and build',
  },
  {
    name: 'containers',
    how: 'other way',
    matches: /^cd deploy && docker compose up/,
    replaced: 'not run: it needs a container engine',
  },
  {
    name: 'upgrade of containers',
    how: 'other way',
    matches: /^docker compose build/,
    replaced: 'not run: it needs a container engine',
  },
  {
    name: 'values of the chart',
    how: 'other way',
    matches: /^image:\n {2}repository:/,
    replaced: 'not used: server/test/deploy-containers.test.ts renders the chart with them',
  },
  {
    name: 'chart',
    how: 'other way',
    matches: /^kubectl create secret/,
    replaced: 'not run: it needs a Kubernetes cluster',
  },
];

const MARKED_LINES = `sed -i -e 's/^  listen 80;/  listen 443 ssl http2;/' -e 's/^  # ssl_/  ssl_/' \\
  -e 's/server_name _;/server_name play.example.com;/' /etc/nginx/conf.d/gatehouse.conf`;

/** Returns the steps that match a block: there must be exactly one. */
export const stepsFor = ({ text }: Block): Step[] => steps.filter(({ matches }) => matches.test(text));

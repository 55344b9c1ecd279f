import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../../test-support/gatehouse.ts';
import { freePort, tempDir } from '../../test-support/process.ts';
import { runCommand } from '../../test-support/run-command.ts';

const secrets = `[auth]\npassword_key = "the-old-generation-key"\njwt_secret = "${'s'.repeat(40)}"\n`;

function settingsFile(text: string): string {
  const file = join(tempDir('start'), 'gatehouse.toml');
  writeFileSync(file, text);
  return file;
}

test.each([
  ['a typo', `prot = 3001\n${secrets}`, 'prot: is not a setting of this service; did you mean port?'],
  ['a typo in a table', `${secrets}[withdraw]\nmaxx = 5\n`, 'withdraw.maxx: is not a setting'],
  [
    'a short secret',
    '[auth]\npassword_key = "k"\njwt_secret = "short"\n',
    'auth.jwt_secret: must be at least 32 bytes',
  ],
  [
    'no secrets',
    'port = 3001\n',
    'auth.jwt_secret: is missing and has no default; set it in the settings file or in GATEHOUSE_AUTH_JWT_SECRET',
  ],
  ['a bad CIDR', `deny_ip = ["10.0.0.0/33"]\n${secrets}`, 'deny_ip[0]: "10.0.0.0/33" is not an address'],
  ['an impossible range', `deny_ip = ["10.0.0.9-10.0.0.1"]\n${secrets}`, 'deny_ip[0]:'],
  ['a bad time zone', `time_zone = "Mars/Olympus"\n${secrets}`, 'time_zone: "Mars/Olympus"'],
  ['text for a number', `port = "3001"\n${secrets}`, 'port: must be integer'],
  [
    'an unreachable database',
    `${secrets}[database]\nurl = "mysql://u:geheim@127.0.0.1:1/name"\n`,
    'database.url:',
  ],
  ['a Redis that is none', `${secrets}[redis]\nurl = "redis://here:abc"\n`, 'redis.url: must be redis://'],
  [
    'an agreement that is not there',
    `${secrets}[site]\nagreement = "/no/such/file"\n`,
    'site.agreement: /no/such/file cannot be read',
  ],
  [
    'a retired path that is none',
    `${secrets}[retired]\napi = ["api.php"]\n`,
    'retired.api[0]: must be a path',
  ],
  [
    'a step that never fits',
    `${secrets}[withdraw]\nstep = 500\nmax = 100\n`,
    'withdraw.step: must not be greater than',
  ],
  ['no TOML', 'port = = 3\n', 'gatehouse.toml:1'],
  [
    'an unusual column',
    `${secrets}[zones.columns]\nbalance = "gold; drop table actors"\n`,
    'zones.columns.balance: must be a plain SQL name',
  ],
])(
  'when the settings have %s, then the start stops with one line that names it',
  async (_name, text, line) => {
    const { code, stdout, stderr } = await runCommand(['serve'], { config: settingsFile(text) });
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain(`gatehouse: `);
    expect(stderr).toContain(line);
    expect(stderr).not.toMatch(/\n\s+at |geheim/);
  },
);

test('when several settings are wrong, then each has its line', async () => {
  const config = settingsFile('prot = 1\nday_max_reg = -1\n[auth]\njwt_secret = "x"\n');
  const { stderr } = await runCommand(['serve'], { config });
  expect(stderr.trim().split('\n')).toHaveLength(3);
});

test('when a variable of the environment is wrong, then it is named', async () => {
  const config = settingsFile(secrets);
  expect((await runCommand(['serve'], { config, env: { GATEHOUSE_DAY_MAX_REGS: '5' } })).stderr).toContain(
    'GATEHOUSE_DAY_MAX_REGS: is not a setting',
  );
  expect((await runCommand(['serve'], { config, env: { GATEHOUSE_DAY_MAX_REG: 'many' } })).stderr).toContain(
    'day_max_reg: must be integer',
  );
});

test('when the port is taken, then the start says so', async () => {
  const port = await freePort();
  const other = createServer().listen(port, '0.0.0.0');
  const { code, stderr } = await runCli(['serve'], { config: settingsFile(`port = ${port}\n${secrets}`) });
  other.close();
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `gatehouse: port: ${port} is in use; stop the process that uses it or choose another port\n`,
  });
});

test('when a command or an option is mistyped, then it is named, with a suggestion', async () => {
  const unknown = await runCli(['zoen', 'list']);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('Did you mean zone?');
  const option = await runCli(['zone', 'set', '1', '--statsu', 'open'], { config: settingsFile(secrets) });
  expect(option).toMatchObject({ code: 2, stderr: expect.stringContaining('--status') });
});

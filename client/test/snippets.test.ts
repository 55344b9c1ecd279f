import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { startTestApp } from '../../server/test/support/test-app.ts';
import { requireExecutable } from '../../test-support/executables.ts';
import { tempDir } from '../../test-support/process.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { signGmCommand } from '../src/server/index.ts';

const KEY = 'a-key-for-game-servers';
const page = readFileSync(resolve(import.meta.dirname, '../../docs/game-servers.md'), 'utf8');

/** Calls the functions of the page and prints what they return as JSON. */
const languages = {
  python: {
    program: 'python3',
    file: 'game.py',
    calls: `
given = json.load(open("given.json"))
print(json.dumps({
    "player": check_player("alice", given["token"], 1),
    "stranger": check_player("alice", "wrong", 1),
    "chat": report_chat({"server_id": 1, "role": "Dragon", "content": "战"}),
    "bound": bind_account("alice", "wx 47&11") and link("wx 47&11"),
    "commands": [verify_gm_command(each["query"], each["key"], each["version"]) for each in given["commands"]],
    "webhooks": [verify_webhook(each["body"].encode(), each["headers"], each["secret"]) for each in given["webhooks"]],
}))
`,
  },
  php: {
    program: 'php',
    file: 'game.php',
    calls: `
$given = json_decode(file_get_contents('given.json'), true);
echo json_encode([
    'player' => check_player('alice', $given['token'], 1),
    'stranger' => check_player('alice', 'wrong', 1),
    'chat' => report_chat(['server_id' => 1, 'role' => 'Dragon', 'content' => '战']),
    'unbound' => link_of('nobody'),
    'bound' => bind_account('alice', 'wx 47&11') ? link_of('wx 47&11') : null,
    'commands' => array_map(fn ($each) => verify_gm_command($each['query'], $each['key'], $each['version']), $given['commands']),
    'webhooks' => array_map(fn ($each) => verify_webhook($each['body'], $each['headers'], $each['secret']), $given['webhooks']),
]);
`,
  },
} as const;

const params = { operid: '10030', rolename: "mule&serverid=2 'x'*~战", amount: '5', empty: '' };
function command(version: 1 | 2, change = (query: string) => query, key = KEY) {
  const query = new URLSearchParams({ ...params, sign: signGmCommand(params, key, version) }).toString();
  return { version, key, query: change(query) };
}

const secret = `whsec_${Buffer.from('a secret of thirty-two bytes ...').toString('base64')}`;
const event = { type: 'player.deleted', timestamp: '2026-01-01T00:00:00.000Z', data: { player_id: 7 } };
function webhook(at: Date, body = JSON.stringify(event), given = secret) {
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': `v1,other ${new Webhook(secret).sign('msg_1', at, JSON.stringify(event))}`,
  };
  return { body, headers, secret: given };
}

test.each(Object.entries(languages))(
  'when a game server copies the functions in %s, then checking, binding and verifying work',
  async (language, { program, file, calls }) => {
    const executable = requireExecutable(program);
    const [, code] = new RegExp(`\`\`\`${language} run\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
    expect(code).toBeDefined();
    const app = await startTestApp(freshSqlite(), { game_servers: { key: KEY } });
    const { token } = await app.register('alice');
    const folder = tempDir(`snippet-${language}`);
    const now = new Date();
    const given = {
      token,
      commands: [
        command(1),
        command(2),
        command(1, (query) => query.replace('amount=5', 'amount=9')),
        command(2, (query) => `${query}&amount=5`),
        { ...command(1), version: 2 },
        { ...command(2), key: 'another' },
        command(1, undefined, ''),
        { version: 1, key: KEY, query: 'operid=10030' },
      ],
      webhooks: [
        webhook(now),
        webhook(now, JSON.stringify({ ...event, type: 'player.banned' })),
        webhook(new Date(now.getTime() - 400_000)),
        webhook(now, undefined, 'whsec_AAAA'),
        { body: '{}', headers: {}, secret },
      ],
    };
    writeFileSync(join(folder, 'given.json'), JSON.stringify(given));
    writeFileSync(join(folder, file), `${code}${calls}`);
    const env = { PATH: process.env.PATH, GATEHOUSE: app.url, GAME_SERVERS_KEY: KEY };
    const { stdout } = await promisify(execFile)(executable, [file], { cwd: folder, env });
    const none = (count: number) => Array.from({ length: count }, () => null);
    expect(JSON.parse(stdout)).toEqual({
      player: { valid: true, account: 'alice', player_id: 1, format: 'jwt' },
      stranger: null,
      chat: 1,
      ...(language === 'php' && { unbound: null }),
      bound: 'alice',
      commands: [params, params, ...none(6)],
      webhooks: [event, ...none(4)],
    });
  },
);

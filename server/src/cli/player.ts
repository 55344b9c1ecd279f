import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { openPlayerAdmin } from '../features/account/admin/module.ts';
import { type Change, changing, command, nonEmpty, type Options } from './context.ts';
import { NotFound } from './failure.ts';
import { say } from './language.ts';
import { operate } from './operate.ts';
import { printLine, printRecord, printResult } from './output.ts';
import { rehashCommand, resealCommand, sealCommand, unsealCommand } from './seal.ts';
import { futureMoment, time } from './time.ts';

const withPlayers = operate((db, settings) => openPlayerAdmin({ db, settings }));

export function playerCommand(): Command {
  return command('player')
    .addCommand(show())
    .addCommand(ban())
    .addCommand(change('unban', 'unban', 'lift a ban', 'is active again'))
    .addCommand(mute())
    .addCommand(change('unmute', 'unmute', 'lift a mute', 'may chat again'))
    .addCommand(
      change(
        'reset-two-factor',
        'resetTwoFactor',
        'turn off two-factor login for a player who lost the second factor, and revoke all tokens',
        'logs in without a second factor',
      ),
    )
    .addCommand(change('sign-out', 'signOut', 'revoke all tokens of an account', 'is signed out everywhere'))
    .addCommand(
      change(
        'unlock',
        'unlock',
        'reset the counters of wrong passwords and codes of an account',
        'can log in again within seconds',
      ),
    )
    .addCommand(setPassword())
    .addCommand(sealCommand())
    .addCommand(resealCommand())
    .addCommand(unsealCommand())
    .addCommand(rehashCommand());
}

function show(): Command {
  return command('show', 'show an account')
    .argument('<account>')
    .action((account: string, options: Options) =>
      withPlayers(options, async (players) => {
        const player = await players.show(account);
        if (!player) throw new NotFound(unknown(account));
        const shown = {
          ...player,
          banned_until: time(player.banned_until),
          muted_until: time(player.muted_until),
          two_factor: player.two_factor !== 0,
          last_login_at: time(player.last_login_at),
          created_at: time(player.created_at || null),
        };
        if (options.json) printLine(JSON.stringify(shown, null, 2));
        else printRecord(shown);
      }),
    );
}

function ban(): Command {
  return command('ban', 'ban an account and revoke its tokens')
    .argument('<account>')
    .option('--reason <text>', 'shown to the player')
    .option(
      '--until <time>',
      'when the ban ends: a time, or 7d, 12h, 30m from now; default never',
      futureMoment,
    )
    .action((account: string, options: Options & { reason?: string; until?: number }) =>
      withPlayers({ ...options, missing: unknown(account) }, async (players, actor) => {
        const { reason, until } = options;
        await players.ban(actor, { player: { account }, reason, until });
        const sentence = `${account} is banned ${until === undefined ? 'permanently' : `until ${time(until)}`}`;
        printResult(sentence, { account, banned_until: time(until ?? null) });
      }),
    );
}

function mute(): Command {
  return command('mute', 'mute a player in the chats of all zones')
    .argument('<account>')
    .option('--reason <text>', 'sent to game servers, which may show it to the player', nonEmpty)
    .requiredOption(
      '--until <time>',
      'when the mute ends: a time, or 7d, 12h, 30m from now; required',
      futureMoment,
    )
    .action((account: string, options: Change & { until: number }) =>
      withPlayers({ ...options, missing: unknown(account) }, async (players, actor) => {
        const { reason, until } = options;
        await players.mute(actor, { player: { account }, reason, until });
        printResult(`${account} is muted until ${time(until)}`, { account, muted_until: time(until) });
      }),
    );
}

/** Creates a command for a rule that takes only the player and the reason. `done` completes the sentence about the account. */
function change(
  name: string,
  rule: 'unban' | 'unmute' | 'resetTwoFactor' | 'signOut' | 'unlock',
  description: string,
  done: string,
): Command {
  return changing(name, description)
    .argument('<account>')
    .action((account: string, options: Change) =>
      withPlayers({ ...options, missing: unknown(account) }, async (players, actor) => {
        await players[rule](actor, { player: { account }, reason: options.reason });
        printResult(`${account} ${done}`, { account });
      }),
    );
}

function setPassword(): Command {
  return changing('set-password', 'set a new password, read from standard input, and revoke all tokens')
    .argument('<account>')
    .action((account: string, options: Change) =>
      withPlayers({ ...options, missing: unknown(account) }, async (players, actor) => {
        const order = { player: { account }, password: await readPassword(), reason: options.reason };
        await players.setPassword(actor, order);
        printResult(`${account} has a new password`, { account });
      }),
    );
}

/** Reads a password from standard input: arguments appear in the shell history and the process list. */
async function readPassword(): Promise<string> {
  if (process.stdin.isTTY) return askPassword({ input: process.stdin, output: process.stderr });
  for await (const line of createInterface({ input: process.stdin })) return line;
  throw new Error('no password on standard input');
}

const unknown = (account: string) => `there is no account ${account}`;

interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Asks twice at a terminal without showing the input. */
export async function askPassword({ input, output }: Terminal): Promise<string> {
  // Discard the line editor's output, which echoes the input.
  const nobody = new Writable({ write: (_chunk, _encoding, written) => written() });
  const lines = createInterface({ input, output: nobody, terminal: true });
  const ask = async (question: string) => {
    output.write(say(question));
    const answer = await lines.question('');
    output.write('\n');
    return answer;
  };
  try {
    const first = await ask('new password: ');
    if ((await ask('repeat the password: ')) !== first) throw new Error('the passwords do not match');
    return first;
  } finally {
    lines.close();
  }
}

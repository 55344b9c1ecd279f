import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { openPlayerAdmin } from '../features/account/admin/module.ts';
import { cliActor } from './actor.ts';
import { askPassword } from './ask-password.ts';
import { type Change, changing, command, type Options, withDatabase } from './context.ts';
import { NotFound } from './failure.ts';
import { print, printLine, printResult } from './output.ts';
import { readable } from './readable-refusal.ts';
import { rehashCommand, sealCommand, unsealCommand } from './seal.ts';
import { futureMoment, time } from './time.ts';

type Players = ReturnType<typeof openPlayerAdmin>;

export function playerCommand(): Command {
  return command('player')
    .addCommand(show())
    .addCommand(ban())
    .addCommand(
      change('unban', 'lift a ban', 'is active again', (players, order) => players.unban(cliActor(), order)),
    )
    .addCommand(
      change('sign-out', 'revoke all tokens of an account', 'is signed out everywhere', (players, order) =>
        players.signOut(cliActor(), order),
      ),
    )
    .addCommand(
      change(
        'unlock',
        'reset the counters of wrong passwords and codes of an account',
        'can log in again within seconds',
        (players, order) => players.unlock(cliActor(), order),
      ),
    )
    .addCommand(setPassword())
    .addCommand(sealCommand())
    .addCommand(unsealCommand())
    .addCommand(rehashCommand());
}

function show(): Command {
  return command('show', 'show an account')
    .argument('<account>')
    .action((account: string, options: Options & { json?: boolean }) =>
      withDatabase(options, async (db, settings) => {
        const player = await openPlayerAdmin({ db, settings }).show(account);
        if (!player) throw unknown(account);
        const shown = {
          ...player,
          banned_until: time(player.banned_until),
          last_login_at: time(player.last_login_at),
          created_at: time(player.created_at || null),
        };
        if (options.json) printLine(JSON.stringify(shown, null, 2));
        else
          print(
            Object.entries(shown).map(([field, value]) => ({ field, value })),
            {},
          );
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
      withDatabase(options, async (db, settings) => {
        const { reason, until } = options;
        if (
          !(await openPlayerAdmin({ db, settings }).ban(cliActor(), { player: { account }, reason, until }))
        )
          throw unknown(account);
        printResult(`${account} is banned ${until === undefined ? 'permanently' : `until ${time(until)}`}`, {
          account,
          banned_until: time(until ?? null),
        });
      }),
    );
}

function change(
  name: string,
  description: string,
  done: string,
  apply: (
    players: Players,
    order: { player: { account: string }; reason?: string | undefined },
  ) => Promise<unknown>,
): Command {
  return changing(name, description)
    .argument('<account>')
    .action((account: string, options: Change) =>
      withDatabase(options, async (db, settings) => {
        const order = { player: { account }, reason: options.reason };
        if (!(await apply(openPlayerAdmin({ db, settings }), order))) throw unknown(account);
        printResult(`${account} ${done}`, { account });
      }),
    );
}

function setPassword(): Command {
  return changing('set-password', 'set a new password, read from standard input, and revoke all tokens')
    .argument('<account>')
    .action((account: string, options: Change) =>
      withDatabase(options, async (db, settings) => {
        const order = { player: { account }, password: await readPassword(), reason: options.reason };
        const set = await readable(openPlayerAdmin({ db, settings }).setPassword(cliActor(), order));
        if (!set) throw unknown(account);
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

const unknown = (account: string) => new NotFound(`there is no account ${account}`);

import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { operatorStore } from '../features/account/operator-store.ts';
import { refuseWeak } from '../features/account/policy.ts';
import { en } from '../http/texts/en.ts';
import { fill } from '../http/texts/index.ts';
import { Refusal } from '../refusal.ts';
import { createPasswords } from '../security/passwords.ts';
import type { Settings } from '../settings/schema.ts';
import { type Chosen, command, listing, moment, withDatabase } from './context.ts';
import { print, say, time } from './output.ts';

type Players = ReturnType<typeof operatorStore>;

export function playerCommand(): Command {
  return command('player', 'accounts')
    .addCommand(show())
    .addCommand(ban())
    .addCommand(
      change('unban', 'lift a ban', 'is active again', (players, account) => players.unban(account)),
    )
    .addCommand(
      change('sign-out', 'end every token of an account', 'is signed out everywhere', (players, account) =>
        players.signOut(account),
      ),
    )
    .addCommand(setPassword());
}

function show(): Command {
  return listing('show', 'one account')
    .argument('<account>')
    .action((account: string, options: Chosen & { json?: boolean }) =>
      withDatabase(options, async (db) => {
        const player = await operatorStore(db).show(account);
        if (!player) throw unknown(account);
        const shown = {
          ...player,
          banned_until: time(player.banned_until),
          last_login_at: time(player.last_login_at),
          created_at: time(player.created_at),
        };
        if (options.json) process.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
        else
          print(
            Object.entries(shown).map(([field, value]) => ({ field, value })),
            {},
          );
      }),
    );
}

function ban(): Command {
  return command('ban', 'suspend an account and end its tokens')
    .argument('<account>')
    .option('--reason <text>', 'shown to the player')
    .option('--until <time>', 'when it ends: a time, or 7d, 12h, 30m from now; for good if left out', moment)
    .action((account: string, options: Chosen & { reason?: string; until?: number }) =>
      withDatabase(options, async (db) => {
        const until = options.until ?? null;
        if (!(await operatorStore(db).ban(account, { reason: options.reason ?? null, until })))
          throw unknown(account);
        say(`${account} is banned ${until === null ? 'for good' : `until ${time(until)}`}`);
      }),
    );
}

function change(
  name: string,
  description: string,
  done: string,
  apply: (players: Players, account: string) => Promise<boolean>,
): Command {
  return command(name, description)
    .argument('<account>')
    .action((account: string, options: Chosen) =>
      withDatabase(options, async (db) => {
        if (!(await apply(operatorStore(db), account))) throw unknown(account);
        say(`${account} ${done}`);
      }),
    );
}

function setPassword(): Command {
  return command('set-password', 'set a new password, read from standard input; ends every token')
    .argument('<account>')
    .action((account: string, options: Chosen) =>
      withDatabase(options, async (db, settings) => {
        const password = await readPassword();
        await holdToPolicy(password, account, settings);
        const passwordHash = createPasswords(settings.auth.password_key).hash(password);
        if (!(await operatorStore(db).setPassword(account, passwordHash))) throw unknown(account);
        say(`${account} has a new password`);
      }),
    );
}

/** Not an argument: those stand in the shell's history and in the list of processes. */
async function readPassword(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('new password: ');
  for await (const line of createInterface({ input: process.stdin })) return line;
  throw new Error('no password on standard input');
}

async function holdToPolicy(password: string, account: string, { auth }: Settings): Promise<void> {
  try {
    await refuseWeak(password, account, auth);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { variant, params } = error.details;
    throw new Error(fill(en.variants[`${error.code}.${variant}`] ?? en.refusals[error.code][1], params));
  }
}

const unknown = (account: string) => new Error(`there is no account ${account}`);

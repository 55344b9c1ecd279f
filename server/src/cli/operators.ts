import { type OperatorRole, operatorRoles } from '@gatehouse/contract/admin';
import { type Command, InvalidArgumentError } from 'commander';
import { type OperatorAdmin, openOperatorAdmin } from '../features/operators/admin/module.ts';
import { cliActor } from './actor.ts';
import { type Change, changing, command, type Options, oneOf, positive, withDatabase } from './context.ts';
import { print, printResult } from './output.ts';
import { readable } from './readable-refusal.ts';
import { time } from './time.ts';
import { zoneIds } from './zone-ids.ts';

interface Access {
  readonly role?: OperatorRole;
  readonly zones?: number[] | 'all';
}

const MAX_LISTED = 1000;

export function operatorCommand(): Command {
  return command('operator')
    .addCommand(add())
    .addCommand(list())
    .addCommand(set())
    .addCommand(setStatus('disable', 'disabled', 'end an operator’s sessions and refuse new ones'))
    .addCommand(setStatus('enable', 'active', 'let a disabled operator log in again'))
    .addCommand(invite())
    .addCommand(keyCommand());
}

const withAccess = (to: Command) =>
  to
    .option('--role <role>', `one of ${operatorRoles.join(', ')}`, oneOf(operatorRoles))
    .option('--zones <list>', 'only these zones, such as 1,2,5-9; all for no limit', zoneList);

const withRole = (to: Command) =>
  to
    .requiredOption('--role <role>', `one of ${operatorRoles.join(', ')}`, oneOf(operatorRoles))
    .option('--zones <list>', 'only these zones, such as 1,2,5-9; all if left out', zoneList);

function add(): Command {
  return withRole(changing('add', 'add an operator; prints the link of the invitation'))
    .argument('<name>', '', operatorName)
    .action((name: string, options: Change & Required<Pick<Access, 'role'>> & Access) =>
      withOperators(options, async (operators) => {
        const { role, zones = 'all', reason } = options;
        const { link } = await operators.add(cliActor(), { name, role, zones: unlessAll(zones), reason });
        printResult(`${name} is invited as ${role}. The link is good once, for 24 hours:\n${link}`, {
          name,
          role,
          link,
        });
      }),
    );
}

function list(): Command {
  return command('list', 'newest first').action((options: Options & { json?: boolean }) =>
    withOperators(options, async (operators) => {
      const rows = (await operators.list({ limit: MAX_LISTED })).map((each) => ({
        name: each.name,
        role: each.role,
        zones: shownZones(each.zones, options),
        status: each.status,
        totp: each.totp,
        last_login_at: time(each.lastLoginAt),
        invited_until: time(each.invitedUntil),
        created_at: time(each.createdAt),
      }));
      print(rows, { ...options, empty: 'no operator yet; add one with: gatehouse operator add' });
    }),
  );
}

function set(): Command {
  return withAccess(changing('set', 'change role or zones; ends the operator’s sessions'))
    .argument('<name>')
    .action((name: string, options: Change & Access) =>
      withOperators(options, async (operators) => {
        const { role, zones, reason } = options;
        if (role === undefined && zones === undefined)
          throw new Error('nothing to set: give --role or --zones');
        const { operator } = await operators.set(cliActor(), { name, role, zones: unlessAll(zones), reason });
        printResult(`${name} is ${operator.role} of ${shownZones(operator.zones, {}) ?? 'all zones'}`);
      }),
    );
}

function setStatus(verb: string, status: 'active' | 'disabled', description: string): Command {
  return changing(verb, description)
    .argument('<name>')
    .action((name: string, options: Change) =>
      withOperators(options, async (operators) => {
        await operators.set(cliActor(), { name, status, reason: options.reason });
        printResult(`${name} is ${status}`);
      }),
    );
}

function invite(): Command {
  return changing('invite', 'invite again: password and two-factor login start anew')
    .argument('<name>')
    .action((name: string, options: Change) =>
      withOperators(options, async (operators) => {
        const { link } = await operators.invite(cliActor(), { name, reason: options.reason });
        printResult(`${name} is invited again. The link is good once, for 24 hours:\n${link}`, {
          name,
          link,
        });
      }),
    );
}

function keyCommand(): Command {
  return command('key', 'keys for scripts')
    .addCommand(
      withRole(changing('add', 'make a key; printed once'))
        .argument('<name>', '', operatorName)
        .option('--days <number>', 'how long it is good; for good if left out', positive)
        .action(
          (name: string, options: Change & Required<Pick<Access, 'role'>> & Access & { days?: number }) =>
            withOperators(options, async ({ keys }) => {
              const { role, zones = 'all', days, reason } = options;
              const { key } = await keys.add(cliActor(), {
                name,
                role,
                zones: unlessAll(zones),
                days,
                reason,
              });
              printResult(key, { name, key });
            }),
        ),
    )
    .addCommand(
      command('list', 'newest first').action((options: Options & { json?: boolean }) =>
        withOperators(options, async ({ keys }) => {
          const rows = (await keys.list({ limit: MAX_LISTED })).map((each) => ({
            name: each.name,
            role: each.role,
            zones: shownZones(each.zones, options),
            created_by: each.createdBy,
            created_at: time(each.createdAt),
            expires_at: time(each.expiresAt),
            last_used_at: time(each.lastUsedAt),
          }));
          print(rows, { ...options, empty: 'no key' });
        }),
      ),
    )
    .addCommand(
      changing('revoke', 'end a key')
        .argument('<name>')
        .action((name: string, options: Change) =>
          withOperators(options, async ({ keys }) => {
            await keys.revoke(cliActor(), { name, reason: options.reason });
            printResult(`${name} is revoked`);
          }),
        ),
    );
}

function withOperators(options: Options, work: (operators: OperatorAdmin) => Promise<void>): Promise<void> {
  return withDatabase(options, (db, settings) => readable(work(openOperatorAdmin({ db, settings }))));
}

const shownZones = (zones: readonly number[] | null, { json }: { json?: boolean }) =>
  json ? zones : (zones?.join(',') ?? null);

function operatorName(text: string): string {
  if (!/^[a-z0-9._-]{2,32}$/.test(text))
    throw new InvalidArgumentError('must be 2 to 32 of a-z, 0-9, dot, underscore and hyphen.');
  return text;
}

/** Parses `1,2,5-9` or `all`. Keeps `all`, because Commander would turn null into an empty string. */
const zoneList = (text: string) => (text === 'all' ? text : zoneIds(text));

const unlessAll = <Z>(zones: Z | 'all') => (zones === 'all' ? null : zones);

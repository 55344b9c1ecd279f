import { type OperatorRole, operatorRoles } from '@gatehouse/contract/admin';
import { type Command, InvalidArgumentError } from 'commander';
import { openOperatorAdmin } from '../features/operators/admin/module.ts';
import { type Change, changing, command, type Options, oneOf, positive } from './context.ts';
import { operate } from './operate.ts';
import { print, printResult } from './output.ts';
import { time } from './time.ts';
import { zoneIds } from './zone-fields.ts';

interface Access {
  readonly role?: OperatorRole;
  readonly zones?: number[] | 'all';
}
type NewAccess = Access & { readonly role: OperatorRole };

const MAX_LISTED = 1000;

const withOperators = operate((db, settings) => openOperatorAdmin({ db, settings }));

export function operatorCommand(): Command {
  return command('operator')
    .addCommand(add())
    .addCommand(list())
    .addCommand(set())
    .addCommand(setStatus('disable', 'disabled', 'disable an operator and end their sessions'))
    .addCommand(setStatus('enable', 'active', 'enable a disabled operator'))
    .addCommand(invite())
    .addCommand(keyCommand());
}

const withAccess = (to: Command) =>
  to
    .option('--role <role>', `one of ${operatorRoles.join(', ')}`, oneOf(operatorRoles))
    .option('--zones <list>', 'only these zones, such as 1,2,5-9; all removes the limit', zoneList);

const withRole = (to: Command) =>
  to
    .requiredOption('--role <role>', `one of ${operatorRoles.join(', ')}`, oneOf(operatorRoles))
    .option('--zones <list>', 'only these zones, such as 1,2,5-9; default all', zoneList);

function add(): Command {
  return withRole(changing('add', 'add an operator and print the invitation link'))
    .argument('<name>', '', operatorName)
    .action((name: string, options: Change & NewAccess) =>
      withOperators(options, async (operators, actor) => {
        const { role, zones = 'all', reason } = options;
        const { link } = await operators.add(actor, { name, role, zones: unlessAll(zones), reason });
        const sentence = `${name} is invited as ${role}. The link works once and expires after 24 hours:\n${link}`;
        printResult(sentence, { name, role, link });
      }),
    );
}

function list(): Command {
  return command('list', 'list operators, newest first').action((options: Options) =>
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
      print(rows, { ...options, empty: 'no operators yet; add one with: gatehouse operator add' });
    }),
  );
}

function set(): Command {
  return withAccess(changing('set', 'change the role or zones of an operator and end their sessions'))
    .argument('<name>')
    .action((name: string, options: Change & Access) =>
      withOperators(options, async (operators, actor) => {
        const { role, zones, reason } = options;
        if (role === undefined && zones === undefined) throw new Error('specify --role or --zones');
        const { operator } = await operators.set(actor, { name, role, zones: unlessAll(zones), reason });
        printResult(`${name} is ${operator.role} for zones ${shownZones(operator.zones, {}) ?? 'all'}`);
      }),
    );
}

function setStatus(verb: string, status: 'active' | 'disabled', description: string): Command {
  return changing(verb, description)
    .argument('<name>')
    .action((name: string, options: Change) =>
      withOperators(options, async (operators, actor) => {
        await operators.set(actor, { name, status, reason: options.reason });
        printResult(`${name} is ${status}`);
      }),
    );
}

function invite(): Command {
  return changing('invite', 'invite an operator again and reset their password and two-factor login')
    .argument('<name>')
    .action((name: string, options: Change) =>
      withOperators(options, async (operators, actor) => {
        const { link } = await operators.invite(actor, { name, reason: options.reason });
        const sentence = `${name} is invited again. The link works once and expires after 24 hours:\n${link}`;
        printResult(sentence, { name, link });
      }),
    );
}

function keyCommand(): Command {
  return command('key', 'manage API keys for scripts')
    .addCommand(
      withRole(changing('add', 'create a key; it is printed once'))
        .argument('<name>', '', operatorName)
        .option('--days <number>', 'days until the key expires; default never', positive)
        .action((name: string, options: Change & NewAccess & { days?: number }) =>
          withOperators(options, async ({ keys }, actor) => {
            const { role, zones = 'all', days, reason } = options;
            const order = { name, role, zones: unlessAll(zones), days, reason };
            const { key } = await keys.add(actor, order);
            printResult(key, { name, key });
          }),
        ),
    )
    .addCommand(
      command('list', 'list keys, newest first').action((options: Options) =>
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
          print(rows, { ...options, empty: 'no keys' });
        }),
      ),
    )
    .addCommand(
      changing('revoke', 'revoke a key')
        .argument('<name>')
        .action((name: string, options: Change) =>
          withOperators(options, async ({ keys }, actor) => {
            await keys.revoke(actor, { name, reason: options.reason });
            printResult(`${name} is revoked`);
          }),
        ),
    );
}

const shownZones = (zones: readonly number[] | null, { json }: { json?: boolean }) =>
  json ? zones : (zones?.join(',') ?? null);

function operatorName(text: string): string {
  if (!/^[a-z0-9._-]{2,32}$/.test(text))
    throw new InvalidArgumentError('must be 2 to 32 characters of a-z, 0-9, dot, underscore and hyphen.');
  return text;
}

/** Parses `1,2,5-9` or `all`. Keeps `all`, because Commander would turn null into an empty string. */
const zoneList = (text: string) => (text === 'all' ? text : zoneIds(text));

const unlessAll = <Z>(zones: Z | 'all') => (zones === 'all' ? null : zones);

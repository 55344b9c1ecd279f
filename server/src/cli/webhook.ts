import { type AnnouncementLanguage, announcementLanguages } from '@gatehouse/contract';
import {
  type DeliveryState,
  deliveryStates,
  type WebhookEventType,
  type WebhookFormat,
  webhookEventTypes,
  webhookFormats,
} from '@gatehouse/contract/admin';
import type { Command } from 'commander';
import { openWebhookAdmin } from '../features/webhooks/admin/module.ts';
import { type Change, changing, command, nonEmpty, type Options, oneOf, wholeNumber } from './context.ts';
import { usage } from './failure.ts';
import { operate } from './operate.ts';
import { print, printLine, printResult } from './output.ts';
import { time } from './time.ts';

interface Fields {
  readonly url?: string;
  readonly events?: WebhookEventType[];
  readonly description?: string;
  readonly format?: WebhookFormat;
  readonly language?: AnnouncementLanguage;
}

export function webhookCommand(): Command {
  return command('webhook')
    .addCommand(list())
    .addCommand(add())
    .addCommand(set())
    .addCommand(remove())
    .addCommand(deliveries())
    .addCommand(replay())
    .addCommand(test());
}

const withWebhooks = operate((db, settings) => openWebhookAdmin({ db, settings }));
const noWebhook = (id: number) => `there is no webhook ${id}`;

const MAX_LISTED = 1000;

function list(): Command {
  return command('list', 'newest first').action((options: Options) =>
    withWebhooks(options, async (webhooks) => {
      const rows = (await webhooks.list({ limit: MAX_LISTED })).map(
        ({ createdAt, previousUntil, events, ...webhook }) => ({
          ...webhook,
          events: options.json ? events : events.join(' '),
          created_at: time(createdAt),
          previous_secret_until: time(previousUntil),
        }),
      );
      print(rows, { ...options, empty: 'no webhooks' });
    }),
  );
}

function add(): Command {
  return withFields(
    changing('add', 'send events to a URL; its secret is printed once')
      .argument('<url>', 'https://…')
      .requiredOption('--events <names>', eventsHelp, eventNames),
  ).action((url: string, options: Change & Fields & { events: WebhookEventType[] }) =>
    withWebhooks(options, async (webhooks, actor) => {
      const { events, description = '', format = 'standard', language = null } = options;
      const fields = { url, events, description, format, language, paused: false };
      const { id, secret } = await webhooks.add(actor, fields, options);
      if (options.json) return printLine(JSON.stringify({ id, secret }));
      printLine(`webhook ${id} added; its secret, shown only now:`);
      printLine(secret);
    }),
  );
}

function set(): Command {
  return withFields(
    changing('set', 'change what is given')
      .argument('<id>', 'as in the list', wholeNumber)
      .option('--url <url>', 'https://…', nonEmpty)
      .option('--events <names>', eventsHelp, eventNames)
      .option('--pause', 'keep events until --resume')
      .option('--resume', 'deliver again, first what was kept')
      .option('--new-secret', 'print a new secret; the old one signs as well for another day'),
  ).action((id: number, options: Change & Fields & { pause?: true; resume?: true; newSecret?: true }) =>
    withWebhooks({ ...options, missing: noWebhook(id) }, async (webhooks, actor) => {
      const { url, events, description, format, language, pause, resume, newSecret, reason } = options;
      if (pause && resume) throw usage('say --pause or --resume');
      const paused = pause ? true : resume ? false : undefined;
      const fields = Object.fromEntries(
        Object.entries({ url, events, description, format, language, paused }).filter(
          ([, value]) => value !== undefined,
        ),
      );
      if (Object.keys(fields).length === 0 && !newSecret)
        throw usage('say what to change, for example --pause');
      await webhooks.set(actor, { id, ...fields }, { reason });
      if (!newSecret) return printResult(`webhook ${id} changed`, { id });
      const { secret } = await webhooks.rotateSecret(actor, id, { reason });
      printResult(secret, { id, secret });
    }),
  );
}

function remove(): Command {
  return changing('remove', 'remove a webhook and its deliveries')
    .argument('<id>', 'as in the list', wholeNumber)
    .action((id: number, options: Change) =>
      withWebhooks({ ...options, missing: noWebhook(id) }, async (webhooks, actor) => {
        await webhooks.remove(actor, id, options);
        printResult(`webhook ${id} removed`, { id });
      }),
    );
}

function deliveries(): Command {
  return command('deliveries', 'of a webhook, newest first; bodies and answers with --json')
    .argument('<id>', 'as in the list', wholeNumber)
    .option('--state <state>', deliveryStates.join(', '), oneOf(deliveryStates))
    .option('--limit <number>', 'how many', wholeNumber, 50)
    .action((id: number, options: Options & { state?: DeliveryState; limit: number }) =>
      withWebhooks(options, async (webhooks) => {
        const { limit, state, json } = options;
        const found = await webhooks.deliveries(id, { limit, state });
        const rows = found.map(({ body, answer, next_at, created_at, finished_at, ...row }) => ({
          ...row,
          next_at: row.state === 'pending' ? time(next_at) : null,
          created_at: time(created_at),
          finished_at: time(finished_at),
          ...(json && { body, answer }),
        }));
        print(rows, { ...options, empty: 'no deliveries' });
      }),
    );
}

function replay(): Command {
  return changing('replay', 'deliver one again, or all that are parked')
    .argument('<id>', 'as in the list', wholeNumber)
    .option('--delivery <id>', 'only this one, as `webhook deliveries` shows it', wholeNumber)
    .action((id: number, options: Change & { delivery?: number }) =>
      withWebhooks(
        {
          ...options,
          missing: options.delivery === undefined ? noWebhook(id) : `webhook ${id} has no such delivery`,
        },
        async (webhooks, actor) => {
          const { replayed } = await webhooks.replay(actor, { id, deliveryId: options.delivery }, options);
          const what = replayed === 1 ? '1 delivery' : `${replayed} deliveries`;
          printResult(`${what} will be tried again`, { id, replayed });
        },
      ),
    );
}

function test(): Command {
  return command('test', 'send an event webhook.test now')
    .argument('<id>', 'as in the list', wholeNumber)
    .action((id: number, options: Options) =>
      withWebhooks({ ...options, missing: noWebhook(id) }, async (webhooks) => {
        const { durationMs, ...outcome } = await webhooks.test(id);
        if (!outcome.delivered) process.exitCode = 1;
        const sentence = outcome.delivered
          ? `delivered: answered ${outcome.status} after ${durationMs} ms`
          : `not delivered: ${outcome.error}`;
        printResult(sentence, { ...outcome, duration_ms: durationMs });
      }),
    );
}

const eventsHelp = `comma separated: ${webhookEventTypes.join(', ')}`;
const eventName = oneOf(webhookEventTypes);
const eventNames = (text: string) => text.split(',').map((each) => eventName(each.trim()));

function withFields(changes: Command): Command {
  return changes
    .option('--description <text>', 'for operators')
    .option('--format <format>', webhookFormats.join(', '), oneOf(webhookFormats))
    .option('--language <tag>', 'of the text of chat formats', oneOf(announcementLanguages));
}

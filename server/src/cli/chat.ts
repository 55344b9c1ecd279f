import type { Command } from 'commander';
import { openChatAdmin } from '../features/chat/admin/module.ts';
import { command, type Options, wholeNumber, withDatabase } from './context.ts';
import { print } from './output.ts';
import { pastMoment, time } from './time.ts';

interface ChatOptions extends Options {
  readonly server?: number;
  readonly account?: string;
  readonly role?: string;
  readonly contains?: string;
  readonly since?: number;
  readonly limit: number;
}

export function chatCommand(): Command {
  return command('chat').addCommand(list());
}

function list(): Command {
  return command('list', 'list chat messages, newest first')
    .option('--server <id>', 'only this zone', wholeNumber)
    .option('--account <account>', 'only this account')
    .option('--role <role>', 'only this role')
    .option('--contains <text>', 'only messages that contain this text')
    .option('--since <time>', 'since a time, or in the last 7d, 12h, 30m', pastMoment)
    .option('--limit <number>', 'maximum number of rows', wholeNumber, 50)
    .action((options: ChatOptions) =>
      withDatabase(options, async (db) => {
        const { server, account, role, contains, since, limit } = options;
        const serverIds = server === undefined ? undefined : [server];
        const filter = { serverIds, account, role, contains, from: since };
        const lines = await openChatAdmin({ db }).find(filter, { limit, after: undefined });
        const rows = lines.map((line) => ({
          ...line,
          sent_at: time(line.sent_at),
          received_at: time(line.received_at),
        }));
        print(rows, { ...options, empty: 'no chat matches' });
      }),
    );
}

import type { Command } from 'commander';
import { openZoneKeys } from '../features/zones/admin/module.ts';
import { type Change, changing, command, nonEmpty, type Options, wholeNumber } from './context.ts';
import { operate } from './operate.ts';
import { print, printResult } from './output.ts';
import { time } from './time.ts';

const withKeys = operate((db, { auth }) => openZoneKeys({ db, auth }));

export function zoneKey(): Command {
  return command('key', 'manage the keys with which the game server of a zone signs its callbacks')
    .addCommand(
      changing('add', 'create a key; it is printed once')
        .argument('<id>', 'zone ID', wholeNumber)
        .action((serverId: number, options: Change) =>
          withKeys(options, async (keys, actor) => {
            const { keyId, key } = await keys.add(actor, { serverId, reason: options.reason });
            printResult(key, { server_id: serverId, key_id: keyId, key });
          }),
        ),
    )
    .addCommand(
      command('list', 'list keys by zone').action((options: Options) =>
        withKeys(options, async (keys) => {
          const rows = (await keys.list()).map((each) => ({
            server_id: each.serverId,
            key_id: each.keyId,
            created_by: each.createdBy,
            created_at: time(each.createdAt),
          }));
          print(rows, { ...options, empty: 'no zone has its own key' });
        }),
      ),
    )
    .addCommand(
      changing('revoke', 'revoke all keys of a zone, or one of them')
        .argument('<id>', 'zone ID', wholeNumber)
        .option('--key <key_id>', 'only this key, as shown by `zone key list`', nonEmpty)
        .action((serverId: number, { key, reason, ...options }: Change & { key?: string }) =>
          withKeys({ ...options, missing: `zone ${serverId} has no such key` }, async (keys, actor) => {
            const revoked = await keys.revoke(actor, { serverId, keyId: key, reason });
            const noun = revoked.length === 1 ? 'key' : 'keys';
            const sentence = `${revoked.length} ${noun} of zone ${serverId} revoked`;
            printResult(sentence, { server_id: serverId, revoked });
          }),
        ),
    );
}

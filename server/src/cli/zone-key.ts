import type { Command } from 'commander';
import { openZoneKeys } from '../features/zones/admin/module.ts';
import { cliActor } from './actor.ts';
import {
  type Change,
  changing,
  command,
  nonEmpty,
  type Options,
  wholeNumber,
  withDatabase,
} from './context.ts';
import { print, printResult } from './output.ts';
import { readable } from './readable-refusal.ts';
import { time } from './time.ts';

export function zoneKey(): Command {
  return command('key', 'manage the keys with which the game server of a zone signs its callbacks')
    .addCommand(
      changing('add', 'create a key; it is printed once')
        .argument('<id>', 'zone ID', wholeNumber)
        .action((serverId: number, options: Change) =>
          withDatabase(options, async (db, { auth }) => {
            const { keyId, key } = await readable(
              openZoneKeys({ db, auth }).add(cliActor(), { serverId, reason: options.reason }),
            );
            printResult(key, { server_id: serverId, key_id: keyId, key });
          }),
        ),
    )
    .addCommand(
      command('list', 'list keys by zone').action((options: Options & { json?: boolean }) =>
        withDatabase(options, async (db, { auth }) => {
          const rows = (await openZoneKeys({ db, auth }).list()).map((each) => ({
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
          withDatabase(options, async (db, { auth }) => {
            const order = { serverId, keyId: key, reason };
            const revocation = openZoneKeys({ db, auth }).revoke(cliActor(), order);
            const revoked = await readable(revocation, `zone ${serverId} has no such key`);
            printResult(
              `${revoked.length} ${revoked.length === 1 ? 'key' : 'keys'} of zone ${serverId} revoked`,
              {
                server_id: serverId,
                revoked,
              },
            );
          }),
        ),
    );
}

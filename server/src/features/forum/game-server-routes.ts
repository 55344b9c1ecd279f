import { routes } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import { mount } from '../../http/mount.ts';
import type { GameServerAuth } from '../../security/game-server-auth.ts';
import { bindAccount, findLinked, type GameServerParts } from './game-server.ts';

export interface GameServerRouteParts extends GameServerParts {
  readonly gameServerAuth: GameServerAuth;
}

const DEFAULT_PROVIDER = 'forum';

/** The game servers' callbacks. The caller's address is checked before the body is read. */
export async function gameServerRoutes(app: FastifyInstance, parts: GameServerRouteParts): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('preHandler', ({ raw, headers, signedBody }) =>
      parts.gameServerAuth.requireSignature({
        method: raw.method ?? '',
        target: raw.url ?? '',
        body: signedBody ?? Buffer.alloc(0),
        timestamp: headers['x-timestamp']?.toString(),
        signature: headers['x-signature']?.toString(),
        address: raw.context.address,
      }),
    );

    const admission = { admit: parts.gameServerAuth.requireGameServer };
    const attach = bindAccount(parts);
    mount(
      scope,
      routes.bindAccount,
      ({ body: { account, connect_id, provider = DEFAULT_PROVIDER } }) =>
        attach(account, { provider, connectId: connect_id }),
      admission,
    );

    const find = findLinked(parts);
    mount(
      scope,
      routes.link,
      ({ query: { connect_id, provider = DEFAULT_PROVIDER } }) => find({ provider, connectId: connect_id }),
      admission,
    );
  });
}

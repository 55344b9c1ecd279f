import { routes } from '@gatehouse/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { mount } from '../../http/mount.ts';
import type { CallerScope } from '../../security/game-server-auth.ts';
import type { ForumDeps } from './deps.ts';
import { bindAccount, findLinked } from './game-server.ts';

declare module 'fastify' {
  interface FastifyRequest {
    callerScope: CallerScope | undefined;
  }
}

const DEFAULT_PROVIDER = 'forum';

/** Mounts the game servers' callbacks. The address is checked before the body is read, the signature before it is validated. */
export async function gameServerRoutes(app: FastifyInstance, deps: ForumDeps): Promise<void> {
  const { requireGameServer, authenticateCallback } = deps.gameServerAuth;
  const admission = { admit: requireGameServer };
  await app.register(async (scope) => {
    scope.decorateRequest('callerScope', undefined);
    scope.addHook('preHandler', async (request) => {
      const { raw, headers, signedBody } = request;
      request.callerScope = await authenticateCallback({
        address: raw.context.address,
        direct: raw.context.direct,
        method: raw.method ?? '',
        target: raw.url ?? '',
        body: signedBody ?? Buffer.alloc(0),
        timestamp: headers['x-timestamp']?.toString(),
        signature: headers['x-signature']?.toString(),
      });
    });

    const attach = bindAccount(deps);
    mount(
      scope,
      routes.bindAccount,
      ({ body: { account, connect_id, provider = DEFAULT_PROVIDER }, request }) =>
        attach(account, { provider, connectId: connect_id }, scopeOf(request)),
      admission,
    );

    const find = findLinked(deps);
    mount(
      scope,
      routes.link,
      ({ query: { connect_id, provider = DEFAULT_PROVIDER }, request }) =>
        find({ provider, connectId: connect_id }, scopeOf(request)),
      admission,
    );
  });
}

const scopeOf = ({ callerScope }: FastifyRequest): CallerScope =>
  callerScope ?? { zones: new Set(), byKey: true };

import { routes } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import { answered, mount } from '../../http/mount.ts';
import { traceOf } from '../../http/request-context.ts';
import { pickLanguage } from '../../http/texts/index.ts';
import type { WithdrawDeps } from './deps.ts';
import { history } from './request/history.ts';
import { listRoles } from './request/roles.ts';
import { withdraw } from './request/withdraw.ts';

export function withdrawRoutes(app: FastifyInstance, deps: WithdrawDeps): void {
  const roles = listRoles(deps);
  mount(app, routes.roles, ({ query, identity }) => roles(identity, query.server_id));

  const take = withdraw(deps);
  mount(app, routes.withdraw, async ({ body, headers, identity, context, request }) => {
    const origin = {
      address: context.address,
      language: pickLanguage(request.headers['accept-language']),
    };
    const { playerId, twoFactor } = identity;
    const key = headers['idempotency-key'];
    const trace = traceOf(context);
    const outcome = await take({ playerId, twoFactor, key, body, origin, trace });
    return answered(outcome.state === 'done' ? 200 : 202, outcome);
  });

  const page = history(deps);
  mount(app, routes.withdrawals, ({ query, identity }) => page(identity.playerId, query));
}

import { routes } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import { responseHeaders } from '../../http/headers.ts';
import { mount } from '../../http/mount.ts';
import { type FinishLoginParts, finishLogin } from './finish-login.ts';
import { type OwnTotpParts, ownTotp } from './own-totp.ts';

export type SecondFactorRouteParts = FinishLoginParts & OwnTotpParts;

export function secondFactorRoutes(app: FastifyInstance, parts: SecondFactorRouteParts): void {
  const finish = finishLogin(parts);
  mount(app, routes.loginSecondFactor, ({ body, context }) => finish(body, context));

  const own = ownTotp(parts);
  mount(app, routes.beginTotp, ({ identity }) => own.begin(identity));
  mount(app, routes.confirmTotp, ({ body, identity, context }) => own.confirm(identity, body.code, context));
  mount(app, routes.removeTotp, async ({ body, identity, context, reply }) => {
    await own.remove(identity, body, { address: context.address, userAgent: context.userAgent });
    return reply.headers(responseHeaders.secret).code(204).send();
  });
}

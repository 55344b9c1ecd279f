import { routes } from '@gatehouse/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { responseHeaders } from '../../http/headers.ts';
import { mount } from '../../http/mount.ts';
import type { RequestContext } from '../../http/request-context.ts';
import { pickLanguage } from '../../http/texts/index.ts';
import { type FinishLoginParts, finishLogin } from './finish-login.ts';
import { type OwnTotpParts, ownTotp } from './own-totp.ts';

export type SecondFactorRouteParts = FinishLoginParts & OwnTotpParts;

export function secondFactorRoutes(app: FastifyInstance, parts: SecondFactorRouteParts): void {
  const finish = finishLogin(parts);
  mount(app, routes.loginSecondFactor, (input) => finish(input.body, originOf(input)));

  const own = ownTotp(parts);
  mount(app, routes.beginTotp, ({ identity }) => own.begin(identity));
  mount(app, routes.confirmTotp, (input) => own.confirm(input.identity, input.body.code, originOf(input)));
  mount(app, routes.removeTotp, async (input) => {
    await own.remove(input.identity, input.body, originOf(input));
    return input.reply.headers(responseHeaders.secret).code(204).send();
  });
}

function originOf({ context, request }: { context: RequestContext; request: FastifyRequest }) {
  const { address, userAgent } = context;
  return { address, userAgent, language: pickLanguage(request.headers['accept-language']) };
}

import { routes } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import { mountDirect } from '../../http/direct.ts';
import { answered, mount } from '../../http/mount.ts';
import { pickLanguage } from '../../http/texts/index.ts';
import { type SendCodeParts, sendCode } from '../codes/send-code.ts';
import { type CheckParts, checkToken } from './check-token.ts';
import { type EnterParts, enterGame } from './enter-game.ts';
import { type LoginParts, login } from './login.ts';
import { type RegisterParts, register } from './register.ts';
import { type ResetParts, resetPassword } from './reset-password.ts';

export type AccountParts = LoginParts & RegisterParts & ResetParts & CheckParts & EnterParts & SendCodeParts;

export function accountRoutes(app: FastifyInstance, parts: AccountParts): void {
  const logIn = login(parts);
  mountDirect(app, routes.login, (body, visit) => logIn({ ...body, address: visit.address }));

  const signUp = register(parts);
  mount(app, routes.register, async ({ body, query, visit }) =>
    answered(201, await signUp(body, { address: visit.address, agentId: query.agent_id })),
  );

  const send = sendCode(parts);
  mount(app, routes.sendCode, ({ body, visit, request }) =>
    send({ ...body, address: visit.address, language: pickLanguage(request.headers['accept-language']) }),
  );

  const reset = resetPassword(parts);
  mount(app, routes.resetPassword, ({ body, visit }) => reset(body, visit.address));

  const check = checkToken(parts);
  mountDirect(app, routes.check, (body, visit) => check({ ...body, address: visit.address }));
  mount(app, routes.checkByQuery, ({ query, visit }) => check({ ...query, address: visit.address }));

  const enter = enterGame(parts);
  mount(app, routes.enterGame, ({ body, identity, visit, request }) =>
    enter({ ...identity, serverId: body.server_id, address: visit.address, token: bearer(request.headers) }),
  );
}

const bearer = (headers: { authorization?: string | undefined }) =>
  (headers.authorization ?? '').replace(/^Bearer +/i, '').trim();

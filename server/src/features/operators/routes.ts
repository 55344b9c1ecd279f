import { adminRoutes } from '@gatehouse/contract/admin';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Metrics } from '../../http/metrics.ts';
import { mount } from '../../http/mount.ts';
import { OPERATOR_COOKIE } from '../../http/operator.ts';
import { countOutcomes } from '../../http/outcomes.ts';
import type { RequestContext } from '../../http/request-context.ts';
import type { OperatorDeps } from './authenticate.ts';
import { acceptInvitation, findInvited, logIn, type OpenedSession } from './login.ts';
import { sessionOf } from './operator.ts';
import { ownAccount } from './own-account.ts';

const COOKIE_PATH = '/api/admin';

interface OperatorMetrics {
  readonly metrics: Pick<Metrics, 'countLogin'>;
}

/** Mounts operators' login and their own account. */
export function operatorRoutes(app: FastifyInstance, deps: OperatorDeps & OperatorMetrics): void {
  const { settings, sessions, metrics } = deps;

  function setCookie(reply: FastifyReply, token: string, maxAgeS: number): void {
    const secure = settings.current.public_url.startsWith('https:') ? '; Secure' : '';
    reply.header(
      'set-cookie',
      `${OPERATOR_COOKIE}=${token}; Path=${COOKIE_PATH}; Max-Age=${maxAgeS}; HttpOnly; SameSite=Strict${secure}`,
    );
  }
  function start(reply: FastifyReply, { token, session }: OpenedSession) {
    setCookie(reply, token, settings.current.console.session_hours * 3600);
    return session;
  }
  const callerOf = ({ address, id }: RequestContext) => ({ address, requestId: id });

  const login = countOutcomes(logIn(deps), (outcome) => metrics.countLogin('operator', outcome));
  mount(app, adminRoutes.login, async ({ body, context, reply }) =>
    start(reply, await login(body, { ...callerOf(context), challengeSolution: context.challengeSolution })),
  );
  const invited = findInvited(deps);
  mount(app, adminRoutes.checkInvitation, async ({ body, context }) => {
    const { name } = await invited(body.invitation, context);
    return { name };
  });
  const accept = acceptInvitation(deps);
  mount(app, adminRoutes.acceptInvitation, async ({ body, context, reply }) =>
    start(reply, await accept(body, callerOf(context))),
  );
  mount(app, adminRoutes.logout, async ({ operator, reply }) => {
    if (operator.session) await sessions.end(operator.session.tokenHash);
    setCookie(reply, '', 0);
    return reply.code(204).send();
  });

  const own = ownAccount(deps);
  mount(app, adminRoutes.me, ({ operator }) => sessionOf(operator));
  mount(app, adminRoutes.changePassword, ({ body, operator }) =>
    own.changePassword(operator, { oldPassword: body.old_password, password: body.password }),
  );
  mount(app, adminRoutes.beginTotp, ({ operator }) => own.beginTotp(operator));
  mount(app, adminRoutes.confirmTotp, ({ body, operator }) => own.confirmTotp(operator, body.code));
  mount(app, adminRoutes.removeTotp, async ({ body, operator, reply }) => {
    await own.removeTotp(operator, body);
    return reply.code(204).send();
  });
}

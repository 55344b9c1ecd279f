import { routes } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import { responseHeaders } from '../../http/headers.ts';
import { mount } from '../../http/mount.ts';
import { type LogoutDeps, logout } from './revoked-tokens.ts';

export function logoutRoutes(app: FastifyInstance, deps: LogoutDeps): void {
  const end = logout(deps);
  mount(app, routes.logout, async ({ identity, reply }) => {
    await end(identity.session);
    return reply.headers(responseHeaders.secret).code(204).send();
  });
}

import { routes } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import { responseHeaders } from '../../http/headers.ts';
import { mount } from '../../http/mount.ts';
import { type LogoutParts, logout } from './revoked-tokens.ts';

export function logoutRoutes(app: FastifyInstance, parts: LogoutParts): void {
  const end = logout(parts);
  mount(app, routes.logout, async ({ identity, reply }) => {
    await end(identity.session);
    return reply.headers(responseHeaders.secret).code(204).send();
  });
}

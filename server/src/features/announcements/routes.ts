import { routes } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import { mount } from '../../http/mount.ts';
import { pickLanguage } from '../../http/texts/index.ts';
import type { AnnouncementCache } from './announcement-cache.ts';

export function announcementRoutes(app: FastifyInstance, announcements: AnnouncementCache): void {
  mount(app, routes.announcementList, ({ query, request, reply }) => {
    reply.header('vary', 'accept-language');
    return announcements.list(pickLanguage(query.language ?? request.headers['accept-language']));
  });
}

import { adminRoutes, type ChatLine } from '@gatehouse/contract/admin';
import type { FastifyInstance } from 'fastify';
import { mount } from '../../../http/mount.ts';
import { mountList } from '../../../http/mount-list.ts';
import { zonesToSearch } from '../../../http/operator.ts';
import { pageOf } from '../../../http/paging.ts';
import { parseTime, timeText, timeTextOrNull } from '../../../runtime/time.ts';
import type { ChatAdmin } from './module.ts';

type Row = Awaited<ReturnType<ChatAdmin['find']>>[number];

export function chatAdminRoutes(app: FastifyInstance, chat: ChatAdmin): void {
  mountList(app, adminRoutes.listChat, {
    plural: 'chat',
    shape: ['number', 'number'],
    async list({ query, operator }, { limit, after }) {
      const { server_id, account, role, channel, q, from, to } = query;
      const filter = {
        serverIds: zonesToSearch(operator, server_id),
        account,
        role,
        channel,
        contains: q,
        from: parseTime(from),
        to: parseTime(to),
      };
      const found = await chat.search(filter, { limit: limit + 1, after });
      const { entries, next } = pageOf(found, limit, (line) => [line.received_at, line.id] as const);
      return { entries: entries.map(listedLine), next };
    },
    recordExport: ({ operator, query }) => chat.recordExport(operator.actor, 'chat', query),
  });
  mount(app, adminRoutes.chatContext, async ({ params, operator }) => ({
    chat: (await chat.context(params.id, operator.zones)).map(listedLine),
  }));
}

const listedLine = ({ sent_at, received_at, ...line }: Row): ChatLine => ({
  ...line,
  sent_at: timeTextOrNull(sent_at),
  received_at: timeText(received_at),
});

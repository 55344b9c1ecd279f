import { adminRoutes, type ChatLine } from '@gatehouse/contract/admin';
import type { FastifyInstance } from 'fastify';
import { mount } from '../../../http/mount.ts';
import { mountList } from '../../../http/mount-list.ts';
import { zonesToSearch } from '../../../http/operator.ts';
import { parseTime, timeText, timeTextOrNull } from '../../../runtime/time.ts';
import type { ChatAdmin } from './module.ts';

type Row = Awaited<ReturnType<ChatAdmin['find']>>[number];

export function chatAdminRoutes(app: FastifyInstance, chat: ChatAdmin): void {
  mountList(app, adminRoutes.listChat, {
    plural: 'chat',
    shape: ['number', 'number'],
    find({ query, operator }, page) {
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
      return chat.search(filter, page);
    },
    positionOf: ({ received_at, id }) => [received_at, id],
    shown: listedLine,
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

import { type AnnouncementRecord, adminRoutes } from '@gatehouse/contract/admin';
import type { FastifyInstance } from 'fastify';
import { answered, mount } from '../../../http/mount.ts';
import { mountList } from '../../../http/mount-list.ts';
import { pathId } from '../../../http/paging.ts';
import { parseTime, timeText, timeTextOrNull } from '../../../runtime/time.ts';
import type { StoredAnnouncement } from '../store.ts';
import type { AnnouncementAdmin } from './module.ts';
import type { AnnouncementFields } from './store.ts';

interface AnnouncementRouteDeps {
  readonly announcements: AnnouncementAdmin;
  /** Shows the change on this instance immediately; others see it at their next poll. */
  readonly refresh: () => Promise<void>;
  /** Returns the text of news as players see it. */
  readonly renderMarkdown: (text: string, use: 'preview') => Promise<string>;
}

export function announcementAdminRoutes(
  app: FastifyInstance,
  { announcements, refresh, renderMarkdown }: AnnouncementRouteDeps,
): void {
  mountList(app, adminRoutes.listAnnouncements, {
    plural: 'announcements',
    shape: ['number', 'number'],
    find: (_input, { limit, after }) => announcements.list({ limit, before: after }),
    positionOf: ({ createdAt, id }) => [createdAt, id],
    shown: listed,
  });
  mount(app, adminRoutes.previewNews, async ({ body }) => ({
    body_html: await renderMarkdown(body.body, 'preview'),
  }));
  mount(app, adminRoutes.addAnnouncement, async ({ body, operator }) => {
    const { language = null, from = null, until = null, ...rest } = body;
    const fields = { ...rest, language, from: parseTime(from), until: parseTime(until) };
    const { id, auditId } = await announcements.add(operator.actor, fields).finally(refresh);
    return answered(201, { id, audit_id: auditId });
  });
  mount(app, adminRoutes.setAnnouncement, async ({ params, body, operator }) => {
    const change = { ...fieldsOf(body), id: pathId(params.id) };
    return { audit_id: await announcements.set(operator.actor, change).finally(refresh) };
  });
  mount(app, adminRoutes.removeAnnouncement, async ({ params, operator }) => ({
    audit_id: await announcements.remove(operator.actor, pathId(params.id)).finally(refresh),
  }));
}

type Spans = { readonly from?: string | null; readonly until?: string | null };

function fieldsOf<B extends Spans>({ from, until, ...rest }: B): Partial<AnnouncementFields> {
  return {
    ...rest,
    ...(from !== undefined && { from: parseTime(from) }),
    ...(until !== undefined && { until: parseTime(until) }),
  };
}

function listed({ from, until, createdAt, ...rest }: StoredAnnouncement): AnnouncementRecord {
  return {
    ...rest,
    from: timeTextOrNull(from),
    until: timeTextOrNull(until),
    created_at: timeText(createdAt),
  };
}

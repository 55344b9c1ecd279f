import type { PictureType } from '@gatehouse/contract';
import { adminRoutes } from '@gatehouse/contract/admin';
import type { FastifyInstance } from 'fastify';
import { mount } from '../../../http/mount.ts';
import type { SiteAdmin } from './module.ts';

interface SiteRouteDeps {
  readonly site: SiteAdmin;
  /** Shows the change on this instance immediately; others see it at their next poll. */
  readonly refresh: () => Promise<void>;
}

export function siteAdminRoutes(app: FastifyInstance, { site, refresh }: SiteRouteDeps): void {
  mount(app, adminRoutes.showSite, site.show);
  mount(app, adminRoutes.setSite, async ({ body, operator }) => {
    const { reason, ...change } = body;
    return { audit_id: await site.set(operator.actor, change, { reason }).finally(refresh) };
  });
  mount(app, adminRoutes.putSiteFile, async ({ params, query, upload, operator }) => {
    const given = { type: upload.type as PictureType, content: upload.content };
    const { auditId, ...picture } = await site
      .setPicture(operator.actor, params.name, given, query)
      .finally(refresh);
    return { ...picture, audit_id: auditId };
  });
  mount(app, adminRoutes.removeSiteFile, async ({ params, query, operator }) => ({
    audit_id: await site.removePicture(operator.actor, params.name, query).finally(refresh),
  }));
}

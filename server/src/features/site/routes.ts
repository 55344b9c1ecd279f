import { routes } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import { type CachedJson, mountCachedJson, sendCachedJson } from '../../http/fast-path/cached-json.ts';
import { mount } from '../../http/mount.ts';
import type { Agreement } from './agreement.ts';

/** Lets the operator's HTML show, images and inline styles included, and run nothing. */
const AGREEMENT_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' https: data:; sandbox; frame-ancestors 'self'";

interface SiteParts {
  readonly agreement: Agreement;
  readonly publicConfig: () => CachedJson;
}

export function siteRoutes(app: FastifyInstance, { agreement, publicConfig }: SiteParts): void {
  mountCachedJson(app, routes.config, publicConfig);
  mount(app, routes.agreement, ({ request, reply }) => {
    reply.header('content-security-policy', AGREEMENT_POLICY);
    return sendCachedJson(request, reply, agreement.current(), 'text/html; charset=utf-8');
  });
}

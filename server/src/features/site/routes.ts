import { routes } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import type { CachedBody } from '../../http/cached-body.ts';
import { mount } from '../../http/mount.ts';
import type { Agreement } from './agreement.ts';

/** Lets the operator's HTML show, images and inline styles included, and run nothing. */
const AGREEMENT_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' https: data:; sandbox; frame-ancestors 'self'";

interface SiteParts {
  readonly agreement: Agreement;
  readonly publicConfig: () => CachedBody;
}

export function siteRoutes(app: FastifyInstance, { agreement, publicConfig }: SiteParts): void {
  mount(app, routes.config, publicConfig);
  mount(app, routes.agreement, ({ reply }) => {
    reply.header('content-security-policy', AGREEMENT_POLICY);
    return agreement.current();
  });
}

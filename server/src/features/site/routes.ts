import { routes } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import type { CachedBody } from '../../http/cached-body.ts';
import { mount } from '../../http/mount.ts';
import { pickLanguage } from '../../http/texts/index.ts';
import type { Agreement } from './agreement.ts';

/**
 * Shows the operator's HTML with images and inline styles, but runs no script. Same origin, so that the page can measure its
 * height.
 */
const AGREEMENT_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' https: data:; sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox; frame-ancestors 'self'";

interface SiteDeps {
  readonly agreement: Agreement;
  readonly publicConfig: () => CachedBody;
}

export function siteRoutes(app: FastifyInstance, { agreement, publicConfig }: SiteDeps): void {
  mount(app, routes.config, publicConfig);
  mount(app, routes.agreement, ({ query, request, reply }) => {
    reply.headers({ 'content-security-policy': AGREEMENT_POLICY, vary: 'accept-language' });
    return agreement.current(pickLanguage(query.language ?? request.headers['accept-language']));
  });
}

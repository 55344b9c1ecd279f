import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { type Route, routes } from '@gatehouse/contract';
import { adminRoutes } from '@gatehouse/contract/admin';
import type { FastifyInstance } from 'fastify';
import { cachedBody } from './cached-body.ts';
import { JSON_TYPE, responseHeaders } from './headers.ts';
import { mount } from './mount.ts';
import { adminOpenApiDocument, openApiDocument } from './openapi.ts';

/** Swagger UI sets its sizes with style attributes; scripts come from here alone. */
const DOCS_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'; object-src 'none'";

/** The OpenAPI document and the page that shows it, both from the contract. */
export async function docs(app: FastifyInstance, publicUrl: string): Promise<void> {
  const document = openApiDocument(Object.values<Route>(routes), publicUrl);
  const body = cachedBody(JSON.stringify(document));
  mount(app, routes.openapi, () => body);
  const adminDocument = adminOpenApiDocument(Object.values<Route>(adminRoutes), publicUrl);
  const adminBody = JSON.stringify(adminDocument);
  mount(app, adminRoutes.openapi, ({ reply }) =>
    reply.headers({ 'content-type': JSON_TYPE, ...responseHeaders.secret }).send(adminBody),
  );

  await app.register(async (page) => {
    page.addHook('onRoute', (route) => {
      route.config = { ...route.config, auth: 'none' };
    });
    page.addHook('onSend', async (_request, reply) => {
      reply.header('content-security-policy', DOCS_POLICY);
    });
    await page.register(swagger, { mode: 'static', specification: { document: document as never } });
    await page.register(swaggerUi, {
      routePrefix: '/api/docs',
      theme: { title: 'Gatehouse API' },
      uiConfig: { url: routes.openapi.path, layout: 'BaseLayout' },
    });
  });
}

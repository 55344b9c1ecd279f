import { hash } from 'node:crypto';
import type { Site } from '@gatehouse/contract';
import { docsScript } from './script.ts';
import { docsStyle } from './style.ts';

export { adminOpenApiDocument, openApiDocument } from './openapi.ts';
export { docsPage } from './page.ts';

const source = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`;

/** Allows only the page's one style and one script, and requests to this service. */
export const docsPolicy = (site: Site) =>
  `default-src 'none'; style-src ${source(docsStyle(site))}; img-src 'self'; script-src ${source(docsScript)}; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'`;

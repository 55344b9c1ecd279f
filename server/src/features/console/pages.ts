import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import manifest from '../../../package.json' with { type: 'json' };
import { responseHeaders } from '../../http/headers.ts';
import { escapeHtml } from '../../http/html.ts';
import { Refusal } from '../../refusal.ts';
import type { LiveSettings } from '../../settings/live.ts';
import type { Settings } from '../../settings/schema.ts';

export const BUILT_CONSOLE = fileURLToPath(new URL('../../../../console/dist', import.meta.url));

const PREFIX = '/console/';
const ASSET_LIFETIME = '365d';
/** Placeholder in the built document for the nonce of each response. */
const NONCE = /%NONCE%/g;
/** Allows scripts with the nonce and what they load, but nothing else from this origin. 'self' is for browsers without either. */
const policyOf = (nonce: string) =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic' 'self'`,
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

interface ConsoleDeps {
  readonly settings: LiveSettings;
  readonly folder: string;
}

/** Serves the console: one document for every path, and assets with a hash in their names. */
export async function consolePages(app: FastifyInstance, { settings, folder }: ConsoleDeps): Promise<void> {
  const index = join(folder, 'index.html');
  if (!existsSync(index)) return;
  const html = readFileSync(index, 'utf8');
  let page = render(html, settings.current);
  settings.onChange((next) => {
    page = render(html, next);
  });

  await app.register(fastifyStatic, {
    root: folder,
    prefix: PREFIX,
    decorateReply: false,
    wildcard: false,
    index: false,
    globIgnore: ['index.html', '**/*.br', '**/*.gz'],
    preCompressed: true,
    immutable: true,
    maxAge: ASSET_LIFETIME,
  });
  const show = (_request: FastifyRequest, reply: FastifyReply) => send(reply, page);
  app.get('/console', show);
  app.get(`${PREFIX}*`, (request, reply) => {
    // Missing assets belong to another release; a page in their place would be read as a script.
    if (request.url.startsWith(`${PREFIX}assets/`)) return reply.problem(new Refusal('not_found'));
    return show(request, reply);
  });
}

function send(reply: FastifyReply, page: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  reply.headers({
    ...responseHeaders.secret,
    'content-security-policy': policyOf(nonce),
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
  });
  return reply.type('text/html; charset=utf-8').send(page.replace(NONCE, nonce));
}

/** Embeds what the pages need before login into the document. None of it is secret. */
function render(html: string, settings: Settings): string {
  const facts = JSON.stringify({
    game: settings.game.name,
    timeZone: settings.time_zone,
    currency: settings.withdraw.currency,
    requireTotp: settings.console.require_totp,
    version: manifest.version,
  });
  const meta = `<meta name="gatehouse" content="${escapeHtml(facts)}">`;
  return html.replace('</head>', () => `  ${meta}\n  </head>`);
}

import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../refusal.ts';
import { generationalCache } from '../../runtime/generational-cache.ts';
import { picturePath, type SiteValues } from './site-values.ts';
import type { SiteStore } from './store.ts';

/** Pictures kept in memory; at most twice as many, of 2 MiB each. */
const CACHED_PICTURES = 8;

/** A picture opened as a page runs no script and loads nothing. */
const PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

interface BrandDeps {
  readonly values: SiteValues;
  readonly store: Pick<SiteStore, 'contentOf'>;
}

/** Serves the operator's pictures. Their path contains the hash of their content, so they never change. */
export function brandRoutes(app: FastifyInstance, { values, store }: BrandDeps): void {
  const contents = generationalCache<string, Buffer>(CACHED_PICTURES);
  const readings = new Map<string, Promise<Buffer | undefined>>();
  let refreshing: Promise<void> | undefined;

  /** Another instance may have stored it just now. Concurrent requests share one read. */
  async function findAgain(hash: string) {
    refreshing ??= values.refresh().finally(() => {
      refreshing = undefined;
    });
    await refreshing;
    return values.pictureOf(hash);
  }

  /** Concurrent requests for a picture share one read. */
  async function contentOf(hash: string): Promise<Buffer | undefined> {
    const known = contents.get(hash);
    if (known) return known;
    const reading = readings.get(hash) ?? store.contentOf(hash).finally(() => readings.delete(hash));
    readings.set(hash, reading);
    const content = await reading;
    if (content) contents.set(hash, content);
    return content;
  }

  app.get<{ Params: { file: string } }>('/brand/:file', async (request, reply) => {
    const { file } = request.params;
    const hash = /^([0-9a-f]{16})\.[a-z]{3,4}$/.exec(file)?.[1];
    const picture = hash === undefined ? undefined : (values.pictureOf(hash) ?? (await findAgain(hash)));
    const isNamed = picture !== undefined && picturePath(picture) === `/brand/${file}`;
    const content = isNamed ? await contentOf(picture.hash) : undefined;
    if (!picture || !content) return reply.problem(new Refusal('not_found'));
    return reply
      .headers({
        'content-type': picture.type,
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': PICTURE_POLICY,
      })
      .send(content);
  });
}

import type { PublicConfig } from '@gatehouse/contract';
import { type CachedBody, cachedBody } from '../../http/cached-body.ts';
import type { LiveSettings } from '../../settings/live.ts';
import { enabledProviders } from '../../settings/providers.ts';
import type { Settings } from '../../settings/schema.ts';
import { CODE_LIFETIME_S } from '../codes/send-code.ts';

/** Renders the settings that a browser may know: no secrets, no internal addresses. Rendered once per change. */
export function publicConfig(settings: LiveSettings): () => CachedBody {
  let body = render(settings.current);
  settings.onChange((next) => {
    body = render(next);
  });
  return () => body;
}

const render = (settings: Settings) => cachedBody(JSON.stringify(configOf(settings)));

export function configOf(settings: Settings): PublicConfig {
  const { enabled, currency, min, max, step, daily_max, rate } = settings.withdraw;
  const providers = enabledProviders(settings).map(({ id, name }) => ({ id, name }));
  const { support, privacy } = settings.site;
  return {
    game: { name: settings.game.name },
    registration: { open: settings.day_max_reg > 0, code_ttl: CODE_LIFETIME_S },
    withdraw: { enabled, currency, min, max, step, daily_max, rate },
    forum: { enabled: providers.length > 0, providers },
    client: { url: new URL(settings.client.url, settings.public_url).href, handoff: settings.client.handoff },
    ...((support ?? privacy) !== undefined && {
      site: { ...(support !== undefined && { support }), ...(privacy !== undefined && { privacy }) },
    }),
  };
}

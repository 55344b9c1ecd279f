import type { PublicConfig, Site } from '@gatehouse/contract';
import { type CachedBody, cachedBody } from '../../http/cached-body.ts';
import type { LiveSettings } from '../../settings/live.ts';
import { enabledProviders } from '../../settings/providers.ts';
import type { Settings } from '../../settings/schema.ts';
import { CODE_LIFETIME_S } from '../codes/send-code.ts';
import type { SiteValues } from './site-values.ts';

/** Renders the settings that a browser may know: no secrets, no internal addresses. Rendered once per change. */
export function publicConfig(settings: LiveSettings, values: SiteValues): () => CachedBody {
  const render = () => cachedBody(JSON.stringify(configOf(settings.current, values.current)));
  let body = render();
  values.onChange(() => {
    body = render();
  });
  return () => body;
}

export function configOf(settings: Settings, site: Site): PublicConfig {
  const { enabled, currency, min, max, step, daily_max, rate } = settings.withdraw;
  const providers = enabledProviders(settings).map(({ id, name }) => ({ id, name }));
  return {
    game: { name: settings.game.name },
    registration: { open: settings.day_max_reg > 0, code_ttl: CODE_LIFETIME_S },
    withdraw: { enabled, currency, min, max, step, daily_max, rate },
    forum: { enabled: providers.length > 0, providers },
    client: { url: new URL(settings.client.url, settings.public_url).href, handoff: settings.client.handoff },
    site,
  };
}

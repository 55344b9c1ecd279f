import type { ForumProviderSettings } from './forum-provider.ts';
import type { Settings } from './schema.ts';

export interface NamedProvider extends ForumProviderSettings {
  readonly id: string;
}

/** The identity providers players may use: `forum` first, then the further ones in the file's order. */
export function enabledProviders(settings: Settings): NamedProvider[] {
  return Object.entries({ forum: settings.forum, ...settings.providers })
    .map(([id, provider]) => ({ id, ...provider }))
    .filter(({ enabled }) => enabled);
}

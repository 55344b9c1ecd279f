import type { ForumProviderSettings } from './forum-provider.ts';
import type { Settings } from './schema.ts';

export interface NamedProvider extends ForumProviderSettings {
  readonly id: string;
}

/** Returns the enabled identity providers: `forum` first, then the others in file order. */
export function enabledProviders(settings: Settings): NamedProvider[] {
  return Object.entries({ forum: settings.forum, ...settings.providers })
    .map(([id, provider]) => ({ id, ...provider }))
    .filter(({ enabled }) => enabled);
}

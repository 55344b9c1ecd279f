import { type SiteFieldName, type SitePicture, siteFieldNames, sitePictures } from '@gatehouse/contract';
import type { AdminSite, ListedPicture } from '@gatehouse/contract/admin';
import type { Settings } from '../../../settings/schema.ts';
import { overridesIn, picturePath } from '../site-values.ts';
import type { SiteFile, SiteStore } from '../store.ts';

type Source = 'default' | 'file' | 'environment' | 'control';

export interface ShowParts {
  readonly store: SiteStore;
  readonly settings: () => Settings;
  /** Returns where a setting comes from. */
  readonly sourceOf: (path: readonly string[]) => Source;
}

/** Lists every field with its source, read from the database so that every instance returns the same. */
export function showSite({ store, settings, sourceOf }: ShowParts) {
  return async (): Promise<AdminSite> => {
    const { rows } = await store.all();
    const { fields, pictures } = overridesIn(rows);
    const { site, game } = settings();
    const defaults: Partial<Record<SiteFieldName, unknown>> = { title: game.name, links: [] };
    const field = (name: SiteFieldName) => {
      if (fields[name] !== undefined) return { value: fields[name], source: 'console' };
      const source = sourceOf(['site', name]);
      return { value: site[name] ?? defaults[name] ?? null, source: source === 'control' ? 'file' : source };
    };
    const own = sitePictures.map((name) => [name, listed(pictures.get(name))] as const);
    const others = [...pictures].filter(([name]) => !sitePictures.includes(name as SitePicture));
    return {
      ...Object.fromEntries(siteFieldNames.map((name) => [name, field(name)])),
      ...Object.fromEntries(own),
      news_pictures: others.map(([name, file]) => ({ name, url: picturePath(file), ...sizeOf(file) })),
    } as AdminSite;
  };
}

const sizeOf = ({ width, height, bytes }: SiteFile) => ({ width, height, bytes });

function listed(picture: SiteFile | undefined): ListedPicture {
  if (!picture) return { value: null, source: 'default' };
  return { value: picturePath(picture), source: 'console', ...sizeOf(picture) };
}

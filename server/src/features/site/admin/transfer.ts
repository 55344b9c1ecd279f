import {
  type PictureType,
  pictureTypes,
  type SiteFieldName,
  type SitePicture,
  siteFieldNames,
  sitePictures,
} from '@gatehouse/contract';
import type { AdminSite, ListedPicture } from '@gatehouse/contract/admin';
import { refuseInput } from '../../../refusal.ts';
import type { Settings } from '../../../settings/schema.ts';
import type { Actor, Why } from '../../audit/entry.ts';
import { overridesIn, picturePath } from '../site-values.ts';
import type { SiteFile, SiteStore } from '../store.ts';
import { changePicture, checkedPicture } from './pictures.ts';
import { changeFields, refuseUnfit, type SiteAdminDeps, type SiteChange } from './set.ts';

const VERSION = 1;

/** The look of a site in a file, to move it to another installation. Pictures are in base64. */
export interface SiteExport {
  readonly gatehouse_site: typeof VERSION;
  readonly fields: SiteChange;
  readonly pictures: {
    readonly [N in SitePicture]?: { readonly type: PictureType; readonly content: string };
  };
}

/** Returns everything that is set, from any source, without the pictures of news. */
export function exportSite({ show, store }: { show: () => Promise<AdminSite>; store: SiteStore }) {
  return async (): Promise<SiteExport> => {
    const site = await show();
    const fields = siteFieldNames
      .filter((name) => site[name].source !== 'default')
      .map((name) => [name, site[name].value] as const);
    const known = overridesIn((await store.all()).rows).pictures;
    const pictures: Partial<Record<SitePicture, { type: PictureType; content: string }>> = {};
    for (const name of sitePictures) {
      const picture = known.get(name);
      const content = picture && (await store.contentOf(picture.hash));
      if (content) pictures[name] = { type: picture.type, content: content.toString('base64') };
    }
    return { gatehouse_site: VERSION, fields: Object.fromEntries(fields), pictures };
  };
}

/** Replaces the whole look with that of a file, all or nothing. Resets what the file does not have. */
export function importSite(deps: SiteAdminDeps) {
  return async (actor: Actor, file: unknown, { reason }: Why = {}): Promise<void> => {
    const { fields, pictures } = parseExport(file);
    refuseUnfit(fields, deps.publicUrl);
    const change = Object.fromEntries(
      siteFieldNames.map((name) => [name, fields[name] ?? null]),
    ) as SiteChange;
    const checked = sitePictures.map((name) => {
      const given = pictures[name];
      const picture =
        given && checkedPicture(name, { type: given.type, content: Buffer.from(given.content, 'base64') });
      return [name, picture ?? null] as const;
    });
    await deps.audit.transaction(actor, async (trx, append) => {
      const changing = { trx, append, actor, reason };
      for (const [name, picture] of checked) await changePicture(deps, changing, name, picture);
      await changeFields(deps, changing, change);
    });
  };
}

function parseExport(file: unknown): Pick<SiteExport, 'fields' | 'pictures'> {
  const { gatehouse_site, fields, pictures = {} } = Object(file) as Partial<SiteExport>;
  const isFields =
    isTable(fields) && Object.keys(fields).every((name) => siteFieldNames.includes(name as SiteFieldName));
  const isPictures =
    isTable(pictures) &&
    Object.entries(pictures).every(
      ([name, picture]) =>
        sitePictures.includes(name as SitePicture) &&
        pictureTypes.includes(picture?.type) &&
        typeof picture?.content === 'string',
    );
  if (gatehouse_site !== VERSION || !isFields || !isPictures) throw refuseInput('file', 'unfit');
  return { fields, pictures };
}

const isTable = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Source = 'default' | 'file' | 'environment' | 'control';

export interface ShowDeps {
  readonly store: SiteStore;
  readonly settings: () => Settings;
  /** Returns where a setting comes from. */
  readonly sourceOf: (path: readonly string[]) => Source;
}

/** Lists every field with its source, read from the database so that every instance returns the same. */
export function showSite({ store, settings, sourceOf }: ShowDeps) {
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

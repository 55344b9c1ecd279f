import {
  type PublicConfig,
  type Site,
  type SiteFields,
  siteFieldNames,
  siteFields,
  sitePictures,
} from '@gatehouse/contract';
import { Check } from 'typebox/schema';
import { type CachedBody, cachedBody } from '../../http/cached-body.ts';
import type { MailBrand } from '../../integrations/mail-page.ts';
import type { Log } from '../../logging/log.ts';
import { openTimedRows, type TimedRows } from '../../runtime/timed-rows.ts';
import { enabledProviders } from '../../settings/forum-provider.ts';
import type { LiveSettings } from '../../settings/live.ts';
import type { Settings } from '../../settings/schema.ts';
import { CODE_LIFETIME_S } from '../codes/send-code.ts';
import type { SiteFile, SiteSetting, SiteStore } from './store.ts';

const REFRESH_MS = 2000;

/** Values that operators have set. They override the settings file. */
export interface SiteOverrides {
  readonly fields: SiteFields;
  /** By name. */
  readonly pictures: ReadonlyMap<string, SiteFile>;
}

export interface SiteValues extends TimedRows {
  readonly current: Site;
  readonly overrides: SiteOverrides;
  /** Returns a picture that is in use or was until recently. */
  pictureOf(hash: string): SiteFile | undefined;
  onChange(listener: () => void): void;
}

interface ValuesDeps {
  readonly store: SiteStore;
  readonly settings: LiveSettings;
  readonly log: Pick<Log, 'warn'>;
}

/** Keeps the values of the site in memory: those of the settings file, overridden by those that operators have set. */
export async function openSiteValues({ store, settings, log }: ValuesDeps): Promise<SiteValues> {
  const listeners: (() => void)[] = [];
  let overrides: SiteOverrides = { fields: {}, pictures: new Map() };
  let files = new Map<string, SiteFile>();
  let current = siteOf(settings.current, overrides);

  function update(): void {
    current = siteOf(settings.current, overrides);
    for (const listener of listeners) listener();
  }

  settings.onChange(update);
  const rows = await openTimedRows<SiteSetting | SiteFile>({
    name: 'settings of the site',
    intervalMs: REFRESH_MS,
    log,
    read: store.all,
    apply(inForce) {
      files = new Map(inForce.filter((row) => 'hash' in row).map((file) => [file.hash, file]));
      overrides = overridesIn(inForce);
      update();
    },
  });
  return {
    ...rows,
    get current() {
      return current;
    },
    get overrides() {
      return overrides;
    },
    pictureOf: (hash) => files.get(hash),
    onChange: (listener) => listeners.push(listener),
  };
}

/** Returns what is set. Ignores values that do not fit: another release may have written them. */
export function overridesIn(rows: readonly (SiteSetting | SiteFile)[]): SiteOverrides {
  const settings = rows.filter((row) => 'name' in row);
  const files = new Map(rows.filter((row) => 'hash' in row).map((file) => [file.hash, file]));
  const known = settings.flatMap(({ name, value }) => {
    const field = siteFieldNames.find((each) => each === name);
    return field !== undefined && Check(siteFields[field], value) ? [[field, value]] : [];
  });
  const pictures = settings.flatMap(({ name, file }) => {
    const picture = file === null ? undefined : files.get(file);
    return picture ? [[name, picture] as const] : [];
  });
  return { fields: Object.fromEntries(known) as SiteFields, pictures: new Map(pictures) };
}

const isSet = (value: unknown) =>
  value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

export function siteOf(settings: Settings, { fields, pictures }: SiteOverrides): Site {
  const texts = siteFieldNames.map((name) => [name, fields[name] ?? settings.site[name]] as const);
  const paths = sitePictures.flatMap((name) => {
    const picture = pictures.get(name);
    return picture ? [[name, picturePath(picture)] as const] : [];
  });
  const given = Object.fromEntries([...texts, ...paths].filter(([, value]) => isSet(value)));
  return { title: settings.game.name, ...given };
}

const EXTENSIONS: Readonly<Record<SiteFile['type'], string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/svg+xml': 'svg',
};

export const picturePath = ({ hash, type }: Pick<SiteFile, 'hash' | 'type'>) =>
  `/brand/${hash}.${EXTENSIONS[type]}`;

/** Pictures that mail programs show. */
const MAIL_PICTURE = /\.(?:png|jpg)$/;

/** Returns the site's look for mails. A footer that is set in one language only is used for the other too. */
export function mailBrandOf({ title, accent, logo, footer, footer_en }: Site, publicUrl: string): MailBrand {
  const [chinese, english] = [footer ?? footer_en, footer_en ?? footer];
  return {
    name: title,
    accent,
    logo: logo && MAIL_PICTURE.test(logo) ? new URL(logo, publicUrl).href : undefined,
    footer: chinese && english ? { 'zh-CN': chinese, en: english } : undefined,
  };
}

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

import type { SiteFields } from '@gatehouse/contract';
import { contrastOf, minAccentContrast, pageGround } from '@gatehouse/contract/accent';

/** A field of the site that fits its schema but not its meaning; `message` is a key of the texts. */
interface SiteProblem {
  readonly field: string;
  readonly message: 'accent' | 'home_link' | 'page_link';
  readonly params?: Readonly<Record<string, string | number>>;
}

/** Checks what the schemas of the site cannot express. */
export function siteProblems({ accent, links = [], privacy }: SiteFields, publicUrl: string): SiteProblem[] {
  const problems: SiteProblem[] = [];
  if (accent !== undefined && contrastOf(accent, pageGround) < minAccentContrast) {
    // Rounded down, so that a refused contrast is never shown as the required one.
    const contrast = (Math.floor(contrastOf(accent, pageGround) * 100) / 100).toFixed(2);
    problems.push({ field: 'accent', message: 'accent', params: { contrast, limit: minAccentContrast } });
  }
  for (const [index, { url }] of links.entries())
    if (!isHomeLink(url)) problems.push({ field: `links.${index}.url`, message: 'home_link' });
  if (privacy !== undefined && !/^https?:$/.test(URL.parse(privacy, publicUrl)?.protocol ?? ''))
    problems.push({ field: 'privacy', message: 'page_link' });
  return problems;
}

/** Paths of this service. A second slash, or a backslash for one, would name another host. */
const OWN_PATH = /^\/(?![/\\])[^\s\\]*$/;
const ABSOLUTE = /^(?:https?:\/\/[^\s/\\]|mailto:[^\s/\\])[^\s\\]*$/i;

export const isOwnPath = (url: string) => OWN_PATH.test(url) && hasNoControls(url);

/** Accepts `https:`, `http:`, `mailto:` and own paths, written so that every browser reads them the same way. */
export function isHomeLink(url: string): boolean {
  if (isOwnPath(url)) return true;
  const { username, password } = URL.parse(url) ?? {};
  // A name or password reads like the host: https://:play.example.com@evil.example/
  return ABSOLUTE.test(url) && hasNoControls(url) && username === '' && password === '';
}

/** Browsers drop tabs and line breaks inside a URL. */
const hasNoControls = (url: string) => !/\p{Cc}/u.test(url);

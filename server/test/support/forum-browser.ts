/** A minimal browser: keeps cookies and follows redirects until it reaches the login page. */
export interface Browser {
  open(url: string, options?: { form?: Record<string, string>; accept?: string }): Promise<FinalPage>;
  /** Every URL requested or redirected to, including fragments. */
  readonly trail: string[];
  readonly cookies: Cookie[];
  /** Stores the cookie of a Set-Cookie line. */
  keep(url: URL, line: string): void;
}

export interface Cookie {
  readonly host: string;
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly line: string;
}

export interface FinalPage {
  readonly url: URL;
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** Parameters in the fragment. */
  readonly fragment: URLSearchParams;
}

const MAX_REDIRECTS = 15;

/** Cookies that belong to the tickets of this test file's browsers. */
const ticketCookies = new Map<string, string>();

/** Returns the Cookie header of the browser that returned with this ticket; empty if none did. */
export function cookieWith(ticket: string): string {
  const name = `forum_bind_${ticket.slice(0, 8)}`;
  const value = ticketCookies.get(name);
  return value === undefined ? '' : `${name}=${value}`;
}

export function newBrowser(): Browser {
  const trail: string[] = [];
  const cookies: Cookie[] = [];

  function keep(url: URL, line: string): void {
    const [pair = '', ...attributes] = line.split(/; */);
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    const attribute = (wanted: string) =>
      attributes.find((each) => each.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1);
    const path = attribute('path') ?? '/';
    const old = cookies.findIndex(
      (each) => each.host === url.hostname && each.name === name && each.path === path,
    );
    if (old >= 0) cookies.splice(old, 1);
    const gone = attribute('max-age') === '0' || Date.parse(attribute('expires') ?? '') <= Date.now();
    if (gone) return;
    cookies.push({ host: url.hostname, name, value, path, line });
    if (name.startsWith('forum_bind_')) ticketCookies.set(name, value);
  }

  async function request(
    url: URL,
    form: Record<string, string> | undefined,
    accept: string,
  ): Promise<Response> {
    trail.push(url.href);
    const mine = cookies.filter(({ host, path }) => host === url.hostname && url.pathname.startsWith(path));
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { accept, cookie: mine.map(({ name, value }) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) keep(url, line);
    return response;
  }

  return {
    trail,
    cookies,
    keep,
    async open(start, { form, accept = '*/*' } = {}) {
      let url = new URL(start);
      let response = await request(url, form, accept);
      for (let redirects = 0; redirects < MAX_REDIRECTS; redirects++) {
        const location = response.headers.get('location');
        if (location === null) break;
        url = new URL(location, url);
        if (url.pathname === '/login') {
          trail.push(url.href);
          break;
        }
        response = await request(url, undefined, accept);
      }
      return {
        url,
        status: response.status,
        text: await response.text(),
        headers: response.headers,
        fragment: new URLSearchParams(url.hash.slice(1)),
      };
    },
  };
}

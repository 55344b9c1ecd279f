const framed = parent !== window;

/** Reads the entry from the fragment after a redirect, and removes it from the address bar before it can be copied. */
function fromFragment() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (!given.has('token')) return null;
  history.replaceState(null, '', location.pathname + location.search);
  const server = { server_id: Number(given.get('server_id')), name: given.get('name') ?? '' };
  return { account: given.get('account') ?? '', token: given.get('token'), server };
}

/** Announces the client to the platform's page and accepts the entry only from it. */
export function receiveEntry(onEntry) {
  const redirected = fromFragment();
  if (redirected) return onEntry(redirected);
  addEventListener('message', ({ origin, source, data }) => {
    if (origin !== location.origin || source !== parent) return;
    if (data?.type !== 'gatehouse:enter' || data.version !== 1) return;
    onEntry({ account: data.account, token: data.token, server: data.server });
  });
  if (framed) parent.postMessage({ type: 'gatehouse:ready' }, location.origin);
}

export const isFramed = framed;

export function leave() {
  if (framed) parent.postMessage({ type: 'gatehouse:leave' }, location.origin);
  else location.assign('/');
}

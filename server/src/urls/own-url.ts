/** Returns the service's URL on this machine, or undefined if the system picks the port. */
export function ownUrl({ host, port }: { readonly host: string; readonly port: number }): string | undefined {
  return port === 0 ? undefined : `http://${hostToAsk(host)}:${port}`;
}

/** Maps a listen address to one that can be connected to. */
function hostToAsk(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

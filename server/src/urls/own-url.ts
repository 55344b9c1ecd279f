/** Where the service answers on this machine; undefined where it picks a port by itself. */
export function ownUrl({ host, port }: { readonly host: string; readonly port: number }): string | undefined {
  return port === 0 ? undefined : `http://${hostToAsk(host)}:${port}`;
}

/** An address to listen on is not always one to connect to. */
function hostToAsk(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

export interface Host {
  readonly host: string;
  readonly port: number;
}

/** Parses `host:port,host:port`, with IPv6 addresses in brackets. Returns undefined if any of them is invalid. */
export function parseHosts(list: string, usualPort: number): readonly [Host, ...Host[]] | undefined {
  const [first, ...others] = list.split(',').map((text) => parseHost(text, usualPort));
  if (first === undefined || others.includes(undefined)) return undefined;
  return [first, ...others.filter((host) => host !== undefined)];
}

function parseHost(text: string, usualPort: number): Host | undefined {
  const [, v6, name, port = usualPort] =
    /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = v6 ?? name;
  return host === undefined || Number(port) > 65535 ? undefined : { host, port: Number(port) };
}

/** Decodes percent escapes. A password with a bare % is used unchanged. */
export function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

import { networkInterfaces } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export const usage = `npm start -- [flags]
  --port PORT     where to listen (default 3001)
  --data FOLDER   where everything is kept (default data/playground)
  --public        listen for other machines too; anyone there can read the mailbox
  --url URL       where browsers reach it, if that is not what the playground guesses`;

export interface Arguments {
  readonly port: number;
  readonly host: string;
  readonly url: string;
  readonly folder: string;
  readonly isPublic: boolean;
  readonly help: boolean;
}

export function readArguments(args: string[]): Arguments {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string', default: '3001' },
      data: { type: 'string', default: 'data/playground' },
      public: { type: 'boolean', default: false },
      url: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port < 1 || port > 65_535)
    throw new Error('--port must be a whole number from 1 to 65535');
  return {
    port,
    // `localhost` listens on both 127.0.0.1 and ::1.
    host: values.public ? '0.0.0.0' : 'localhost',
    url: originOf(values.url ?? `http://${values.public ? ownAddress() : 'localhost'}:${port}`),
    folder: resolve(values.data),
    isPublic: values.public,
    help: values.help,
  };
}

function originOf(url: string): string {
  const parsed = URL.parse(url);
  if (parsed && /^https?:$/.test(parsed.protocol)) return parsed.origin;
  throw new Error('--url must be an http:// or https:// URL');
}

function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? 'localhost';
}

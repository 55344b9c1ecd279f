import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type CachedBody, cachedBody } from '../../http/cached-body.ts';
import type { Log } from '../../logging/log.ts';

const OWN_FILE = fileURLToPath(new URL('../../../config/agreement.html', import.meta.url));
const POLL_MS = 1000;

export interface Agreement {
  current(): CachedBody;
  close(): void;
}

/** The user agreement, read anew when its file changes. A file that cannot be read leaves the last text standing. */
export function openAgreement(file: string = OWN_FILE, log: Pick<Log, 'warn'>): Agreement {
  let body = readFirst(file);
  function reread(): void {
    try {
      body = render(file);
    } catch (error) {
      log.warn({ err: error, file }, 'the agreement could not be read; the last one is shown');
    }
  }
  watchFile(file, { interval: POLL_MS }, reread);
  return { current: () => body, close: () => unwatchFile(file, reread) };
}

const render = (file: string) => cachedBody(readFileSync(file, 'utf8'), 'text/html; charset=utf-8');

function readFirst(file: string): CachedBody {
  try {
    return render(file);
  } catch (error) {
    throw new Error(`site.agreement: ${file} cannot be read: ${(error as Error).message}`);
  }
}

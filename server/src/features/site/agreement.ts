import { existsSync, readFileSync, unwatchFile, watchFile } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type CachedBody, cachedBody } from '../../http/cached-body.ts';
import type { Language } from '../../http/texts/index.ts';
import type { Log } from '../../logging/log.ts';

const OWN_FILE = fileURLToPath(new URL('../../../config/agreement.html', import.meta.url));
const POLL_MS = 1000;

export interface Agreement {
  current(language: Language): CachedBody;
  close(): void;
}

/**
 * Opens the user agreement, re-read when its file changes. If the file cannot be read, the last text stays. If an English file
 * exists next to it, English readers get that.
 */
export function openAgreement(file: string = OWN_FILE, log: Pick<Log, 'warn'>): Agreement {
  const englishFile = file.replace(/(\.[^./\\]*)?$/, '.en$1');
  let body = readFirst(file);
  let english = existsSync(englishFile) ? readFirst(englishFile) : undefined;

  const whenChanged = (changed: string, read: () => void) => () => {
    try {
      read();
    } catch (error) {
      log.warn({ err: error, file: changed }, 'the agreement could not be read; the last one is shown');
    }
  };
  const reread = whenChanged(file, () => {
    body = render(file);
  });
  const rereadEnglish = whenChanged(englishFile, () => {
    english = existsSync(englishFile) ? render(englishFile) : undefined;
  });
  watchFile(file, { interval: POLL_MS }, reread);
  watchFile(englishFile, { interval: POLL_MS }, rereadEnglish);
  return {
    current: (language) => (language === 'en' && english) || body,
    close() {
      unwatchFile(file, reread);
      unwatchFile(englishFile, rereadEnglish);
    },
  };
}

const render = (file: string) => cachedBody(readFileSync(file, 'utf8'), 'text/html; charset=utf-8');

function readFirst(file: string): CachedBody {
  try {
    return render(file);
  } catch (error) {
    throw new Error(`site.agreement: ${file} cannot be read: ${(error as Error).message}`);
  }
}

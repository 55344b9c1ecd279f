import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Mail, readMail } from './mail-file.ts';

/** The page that shows the messages: static files that fetch `messages.json` from the same folder. */
export const mailboxPages = join(import.meta.dirname, 'pages');

const SHOWN = 30;
const CODE_LIFETIME_MS = 60_000;

export interface KeptMail extends Mail {
  readonly id: string;
  readonly sent_at: number;
  readonly expires_at: number;
}

/** Lists the outbox's mails, newest first. A mail never changes, so each is read once. */
export function openMailbox(folder: string) {
  let known = new Map<string, KeptMail>();

  async function read(id: string): Promise<KeptMail> {
    const sentAt = Number.parseInt(id, 10);
    const mail = readMail(await readFile(join(folder, id), 'utf8'));
    return { id, sent_at: sentAt, expires_at: sentAt + CODE_LIFETIME_MS, ...mail };
  }

  return {
    async newest(): Promise<KeptMail[]> {
      const files = await readdir(folder).catch(() => []);
      const ids = files
        .filter((name) => /^\d+-.*\.eml$/.test(name))
        .sort()
        .reverse()
        .slice(0, SHOWN);
      const mails = await Promise.all(ids.map(async (id) => known.get(id) ?? (await read(id))));
      known = new Map(mails.map((mail) => [mail.id, mail]));
      return mails;
    },
  };
}

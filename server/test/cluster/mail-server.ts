import { randomBytes } from 'node:crypto';
import { codeIn } from '../../../test-support/mail.ts';
import { freePort } from '../../../test-support/process.ts';
import { startSmtp } from '../../../test-support/smtp.ts';

/** An SMTP server that can die or hang, and comes back at the same address. */
export interface MailServer {
  readonly url: string;
  /** The code in the mail to this address; undefined when none comes in time. */
  codeFor(email: string): Promise<string | undefined>;
  hang(): void;
  die(): Promise<void>;
  /** After either. */
  comeBack(): Promise<void>;
}

const PATIENCE_MS = 10_000;

export async function startMailServer(): Promise<MailServer> {
  const address = { port: await freePort(), password: randomBytes(12).toString('hex') };
  let smtp = await startSmtp(address);
  let dead = false;
  return {
    url: smtp.url,
    async codeFor(email) {
      const mail = await smtp.waitForMessage(email, PATIENCE_MS).catch(() => undefined);
      return mail && codeIn(mail.raw);
    },
    hang: () => smtp.setMode('hang'),
    async die() {
      dead = true;
      await smtp.stop();
    },
    async comeBack() {
      if (dead) smtp = await startSmtp(address);
      else smtp.setMode('accept');
      dead = false;
    },
  };
}

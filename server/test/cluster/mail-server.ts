import { randomBytes } from 'node:crypto';
import { codeIn } from '../../../test-support/mail.ts';
import { freePort } from '../../../test-support/process.ts';
import { startSmtp } from '../../../test-support/smtp.ts';

/** An SMTP server that can be stopped, hang or be slow, and resumes at the same address. */
export interface MailServer {
  readonly url: string;
  /** Returns the code in the mail to this address; undefined if none arrives in time. */
  codeFor(email: string): Promise<string | undefined>;
  hang(): void;
  /** Delays every answer by this much. */
  slow(ms: number): void;
  stop(): Promise<void>;
  /** Undoes all of them. */
  resume(): Promise<void>;
}

const TIMEOUT_MS = 10_000;

export async function startMailServer(): Promise<MailServer> {
  const address = { port: await freePort(), password: randomBytes(12).toString('hex') };
  let smtp = await startSmtp(address);
  let dead = false;
  return {
    url: smtp.url,
    async codeFor(email) {
      const mail = await smtp.waitForMessage(email, TIMEOUT_MS).catch(() => undefined);
      return mail && codeIn(mail.raw);
    },
    hang: () => smtp.setMode('hang'),
    slow: (ms) => smtp.setDelay(ms),
    async stop() {
      dead = true;
      await smtp.stop();
    },
    async resume() {
      if (dead) smtp = await startSmtp(address);
      smtp.setMode('accept');
      smtp.setDelay(0);
      dead = false;
    },
  };
}

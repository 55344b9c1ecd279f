import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CodePurpose } from '@gatehouse/contract';
import type { Log } from '../logging/log.ts';
import { Refusal } from '../refusal.ts';
import { withTimeout } from '../runtime/with-timeout.ts';
import { codeMail } from './code-mail.ts';
import { type NoticeMailContent, noticeMail } from './notice-mail.ts';

/** Mails hold codes. */
const OWNER_ONLY = 0o600;

/** The request waits for the mail, so this is short. */
const TIMEOUT_MS = 2500;

export interface CodeMail {
  readonly to: string;
  readonly code: string;
  readonly lifetime: number;
  /** What the code is for, where the request said so. */
  readonly purpose?: CodePurpose | undefined;
  readonly language: string;
}

export interface NoticeMail extends Omit<NoticeMailContent, 'gameName'> {
  readonly to: string;
}

export interface Mailer {
  /** Resolves when the mail server has taken the mail; refuses with mail_unavailable otherwise. */
  sendCode(mail: CodeMail): Promise<void>;
  /** Resolves when the mail server has taken the mail. */
  sendNotice(mail: NoticeMail): Promise<void>;
  /** Asks whether mail could be sent, without sending any. */
  verify(): Promise<void>;
  close(): void;
}

interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface Transport {
  send(message: Message): Promise<void>;
  verify(): Promise<void>;
  close(): void;
}

interface MailerParts {
  readonly url: string;
  readonly from: string;
  readonly gameName: string;
  readonly log: Pick<Log, 'warn'>;
}

export function openMailer({ url, from, gameName, log }: MailerParts): Mailer {
  const transport = url.startsWith('outbox:') ? outbox(url.slice('outbox:'.length), from) : smtp(url, from);
  return {
    async sendCode(mail) {
      try {
        await inTime(transport.send({ to: mail.to, ...codeMail({ ...mail, gameName }) }));
      } catch (error) {
        log.warn({ err: error }, 'a mail could not be sent');
        throw new Refusal('mail_unavailable');
      }
    },
    sendNotice: (mail) => inTime(transport.send({ to: mail.to, ...noticeMail({ ...mail, gameName }) })),
    verify: () => inTime(transport.verify()),
    close: () => transport.close(),
  };
}

function smtp(url: string, from: string): Transport {
  const transport = openedLater(({ createTransport }) =>
    createTransport(
      {
        url,
        pool: true,
        maxConnections: 4,
        connectionTimeout: TIMEOUT_MS,
        greetingTimeout: TIMEOUT_MS,
        socketTimeout: TIMEOUT_MS * 2,
        disableFileAccess: true,
        disableUrlAccess: true,
      },
      { from },
    ),
  );
  return {
    // The address goes in as an object, so that nothing in it is parsed as a list or a header.
    send: async ({ to, ...message }) =>
      void (await (await transport.get()).sendMail({ ...message, to: { name: '', address: to } })),
    verify: async () => void (await (await transport.get()).verify()),
    close: () => transport.close(),
  };
}

/** Writes `.eml` files: for trying out, and for tests. Named so that they sort by time; renamed so that none is read half. */
function outbox(folder: string, from: string): Transport {
  const composer = openedLater(({ createTransport }) =>
    createTransport({ streamTransport: true, buffer: true }, { from }),
  );
  return {
    async send({ to, ...message }) {
      const { message: content } = await (await composer.get()).sendMail({
        ...message,
        to: { name: '', address: to },
      });
      const name = `${Date.now()}-${process.hrtime.bigint()}-${randomUUID()}.eml`;
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, `.${name}`), content as Buffer, { mode: OWNER_ONLY });
      await rename(join(folder, `.${name}`), join(folder, name));
    },
    verify: async () => void (await mkdir(folder, { recursive: true })),
    close: () => composer.close(),
  };
}

/** Opens with the first mail: loading the library is a twentieth of the start. */
function openedLater<T extends { close(): void }>(open: (library: typeof import('nodemailer')) => T) {
  let opening: Promise<T> | undefined;
  return {
    get: () => (opening ??= import('nodemailer').then(open)),
    close: () => void opening?.then((transport) => transport.close()),
  };
}

const inTime = <T>(work: Promise<T>) =>
  withTimeout(work, TIMEOUT_MS, () => new Error(`the mail server took more than ${TIMEOUT_MS} ms`));

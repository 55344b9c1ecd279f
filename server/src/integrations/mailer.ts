import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CodePurpose } from '@gatehouse/contract';
import { bulkhead } from 'cockatiel';
import type { Log } from '../logging/log.ts';
import { Refusal } from '../refusal.ts';
import { lazy } from '../runtime/lazy.ts';
import { currentTrace, traceFields, traceHeaders } from '../runtime/trace.ts';
import { withTimeout } from '../runtime/with-timeout.ts';
import { codeMail } from './code-mail.ts';
import type { MailBrand } from './mail-page.ts';
import { type NoticeMailContent, noticeMail } from './notice-mail.ts';

/** Mails contain codes. */
const OWNER_ONLY = 0o600;

/** Shorter than a request waits, so that a missing greeting is a definite failure by then. */
const GREETING_TIMEOUT_MS = 2000;
/** Upper bound between two answers of the mail server. A code is valid for longer than eight of these. */
const SOCKET_TIMEOUT_MS = 5000;
const VERIFY_TIMEOUT_MS = 2500;
/** The contract promises an answer within 3 s. */
const ANSWER_WITHIN_MS = 2500;
/** Generous: a file takes this long only on an overloaded machine, and then every request is late. */
const FOLDER_WITHIN_MS = 20_000;

const CONNECTIONS = 4;
/** Upper bound for mails waiting for a connection. More are refused. */
const MAX_WAITING = 200;

export interface CodeMail {
  readonly to: string;
  readonly code: string;
  readonly lifetime: number;
  /** The purpose of the code, if the request named one. */
  readonly purpose?: CodePurpose | undefined;
  readonly language: string;
}

/** `unconfirmed`: the connection broke, and the mail may still arrive. */
export type OnMailOutcome = (kind: 'code' | 'notice', outcome: 'sent' | 'unconfirmed' | 'failed') => void;

export interface Mailer {
  /** How long a request waits until a mail is accepted. A code that waits longer for a connection is not sent. */
  readonly answerWithinMs: number;
  /**
   * Resolves to true if the mail server has accepted the mail, and to false if the connection broke, so that the mail may still
   * arrive. Refuses with mail_unavailable if it certainly will not.
   */
  sendCode(mail: CodeMail): Promise<boolean>;
  /** Resolves when the mail server has accepted the mail. */
  sendNotice(mail: Omit<NoticeMailContent, 'brand'> & { readonly to: string }): Promise<void>;
  /** Checks whether mail could be sent, without sending any. */
  verify(): Promise<void>;
  /** Returns a mailer whose mails look like the operator's site at the time they are sent. */
  branded(brand: () => MailBrand, onOutcome?: OnMailOutcome): Mailer;
  /** Number of mails that wait for a connection. */
  waiting(): number;
  close(): void;
}

interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Transport {
  send(message: Message): Promise<void>;
  verify(): Promise<void>;
  close(): void;
}

interface MailerDeps {
  readonly url: string;
  readonly from: string;
  readonly gameName: string;
  readonly log: Pick<Log, 'warn'>;
}

export function openMailer({ url, from, gameName, log }: MailerDeps): Mailer {
  const isFolder = url.startsWith('outbox:');
  const transport = isFolder ? outbox(url.slice('outbox:'.length), from) : smtp(url, from);
  const answerWithinMs = isFolder ? FOLDER_WITHIN_MS : ANSWER_WITHIN_MS;
  const limited = bulkhead(CONNECTIONS, MAX_WAITING);

  async function trySending(message: Message): Promise<boolean> {
    const deadline = performance.now() + answerWithinMs;
    try {
      await limited.execute(() => {
        if (performance.now() > deadline) throw new Error('the mail waited too long for a connection');
        return transport.send(message);
      });
      return true;
    } catch (error) {
      const { code, responseCode, command, name } = error as SmtpError;
      // Leave out the message: mail servers repeat the recipient's address in their answers.
      const why = { why: code ?? name, response: responseCode, command };
      log.warn({ ...traceFields(currentTrace()), ...why }, 'a mail could not be sent');
      if (mayHaveArrived(error as SmtpError)) return false;
      throw new Refusal('mail_unavailable');
    }
  }

  async function count<T>(
    sending: Promise<T>,
    kind: 'code' | 'notice',
    onOutcome: OnMailOutcome,
  ): Promise<T> {
    try {
      const result = await sending;
      onOutcome(kind, result === false ? 'unconfirmed' : 'sent');
      return result;
    } catch (error) {
      onOutcome(kind, 'failed');
      throw error;
    }
  }

  const branded = (brand: () => MailBrand, onOutcome: OnMailOutcome = () => {}): Mailer => ({
    answerWithinMs,
    sendCode: (mail) =>
      count(trySending(messageTo(mail.to, codeMail({ ...mail, brand: brand() }))), 'code', onOutcome),
    async sendNotice(mail) {
      const message = messageTo(mail.to, noticeMail({ ...mail, brand: brand() }));
      await count(
        limited.execute(() => transport.send(message)),
        'notice',
        onOutcome,
      );
    },
    verify: () => withTimeout(transport.verify(), VERIFY_TIMEOUT_MS, tooSlow),
    branded,
    waiting: () => MAX_WAITING - limited.queueSlots,
    close: () => transport.close(),
  });
  return branded(() => ({ name: gameName }));
}

/** Adds the request on whose behalf the mail is sent, so that its log lines can be found from the mail. */
const messageTo = (to: string, content: Omit<Message, 'to' | 'headers'>): Message => ({
  to,
  ...content,
  headers: traceHeaders(currentTrace()),
});

/** Fields that nodemailer adds to its errors. */
interface SmtpError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
  /** The command that the server refused. */
  readonly command?: string;
  readonly syscall?: string;
  readonly timeoutType?: string;
}

/** Reports whether the connection broke after setup without a refusal by the server. */
function mayHaveArrived({ code = '', responseCode, syscall, timeoutType = '' }: SmtpError): boolean {
  const isBroken = ['ECONNECTION', 'ESOCKET', 'ETIMEDOUT'].includes(code) && responseCode === undefined;
  const isUnreached = syscall === 'connect' || ['CONNECT_TIMEOUT', 'GREETING_TIMEOUT'].includes(timeoutType);
  return isBroken && !isUnreached;
}

function smtp(url: string, from: string): Transport {
  const transport = openedLater(({ createTransport }) =>
    createTransport(
      {
        url,
        pool: true,
        maxConnections: CONNECTIONS,
        maxRequeues: 1,
        connectionTimeout: GREETING_TIMEOUT_MS,
        greetingTimeout: GREETING_TIMEOUT_MS,
        socketTimeout: SOCKET_TIMEOUT_MS,
        disableFileAccess: true,
        disableUrlAccess: true,
      },
      { from },
    ),
  );
  return {
    // Pass the address as an object, so that it is not parsed as a list or a header.
    send: async ({ to, ...message }) =>
      void (await (await transport.get()).sendMail({ ...message, to: { name: '', address: to } })),
    verify: async () => void (await (await transport.get()).verify()),
    close: () => transport.close(),
  };
}

/** Writes `.eml` files, for development and tests. Names sort by time; files are renamed so that none is read half-written. */
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
      const unfinished = join(folder, `.${name}`);
      await mkdir(folder, { recursive: true });
      try {
        await writeFile(unfinished, content as Buffer, { mode: OWNER_ONLY });
        await rename(unfinished, join(folder, name));
      } catch (error) {
        // On a full disk part of it was written, and nobody else would remove it.
        await rm(unfinished, { force: true }).catch(() => undefined);
        throw error;
      }
    },
    verify: async () => void (await mkdir(folder, { recursive: true })),
    close: () => composer.close(),
  };
}

/** Opens on the first mail: loading the library takes a twentieth of the start. */
function openedLater<T extends { close(): void }>(open: (library: typeof import('nodemailer')) => T) {
  let opened: T | undefined;
  let isClosed = false;
  const get = lazy(async () => {
    opened = open(await import('nodemailer'));
    if (isClosed) opened.close();
    return opened;
  });
  return {
    get,
    close() {
      isClosed = true;
      opened?.close();
    },
  };
}

const tooSlow = () => new Error(`the mail server took more than ${VERIFY_TIMEOUT_MS} ms`);

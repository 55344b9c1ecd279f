import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { freePort } from './process.ts';

/** accept: stores every mail. hang: accepts connections and never answers. refuse: 550 for every recipient. */
export type SmtpMode = 'accept' | 'hang' | 'refuse';

export type ReceivedMail = { from: string; to: string[]; raw: string };

export type Smtp = {
  /** smtp://user:password@127.0.0.1:port */
  url: string;
  port: number;
  messages: ReceivedMail[];
  /** Number of connections opened so far. */
  callers(): number;
  setMode(mode: SmtpMode): void;
  /** Delays every answer to a command by this much. */
  setDelay(ms: number): void;
  /** Waits for the oldest mail to this address that no earlier call has returned. */
  waitForMessage(to: string, timeoutMs?: number): Promise<ReceivedMail>;
  stop(): Promise<void>;
};

export async function startSmtp(
  options: { mode?: SmtpMode; port?: number; password?: string } = {},
): Promise<Smtp> {
  let mode = options.mode ?? 'accept';
  const port = options.port ?? (await freePort());
  const password = options.password ?? randomBytes(12).toString('hex');
  const messages: ReceivedMail[] = [];
  const handedOut = new Set<ReceivedMail>();
  let callers = 0;
  let delay = 0;

  /** In hang mode the client gets no answer. */
  const unlessHanging = (answer: () => void) => {
    if (mode === 'hang') return;
    if (delay === 0) answer();
    else setTimeout(answer, delay).unref();
  };

  const server = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 50,
    onConnect: (_session, callback) => {
      callers += 1;
      unlessHanging(callback);
    },
    onAuth: (auth, _session, callback) =>
      unlessHanging(() => {
        if (auth.username === 'user' && auth.password === password) callback(null, { user: 'user' });
        else callback(new Error('wrong user or password'));
      }),
    onMailFrom: (_address, _session, callback) => unlessHanging(callback),
    onRcptTo: (_address, _session, callback) =>
      unlessHanging(() => callback(mode === 'refuse' ? refusal() : null)),
    onData: async (stream, session, callback) => {
      const content = await buffer(stream).catch(() => undefined);
      // The client disconnected in the middle of a mail.
      if (content === undefined) return;
      messages.push(receivedMail(session, content));
      unlessHanging(callback);
    },
  });
  // A client that times out on a hanging server resets the connection, which is expected.
  server.on('error', () => {});
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });

  return {
    url: `smtp://user:${password}@127.0.0.1:${port}`,
    port,
    messages,
    callers: () => callers,
    setMode: (next) => {
      mode = next;
    },
    setDelay: (ms) => {
      delay = ms;
    },
    async waitForMessage(to, timeoutMs = 30_000) {
      for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(10)) {
        const message = messages.find((mail) => mail.to.includes(to) && !handedOut.has(mail));
        if (message === undefined) continue;
        handedOut.add(message);
        return message;
      }
      throw new Error(`no mail to ${to} within ${timeoutMs} ms; there are ${messages.length} others`);
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

function receivedMail({ envelope }: SMTPServerSession, content: Buffer): ReceivedMail {
  return {
    from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
    to: envelope.rcptTo.map((recipient) => recipient.address),
    raw: content.toString(),
  };
}

function refusal(): Error {
  return Object.assign(new Error('mailbox unavailable'), { responseCode: 550 });
}

/** A mail as shown in the mailbox. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly code: string | null;
}

/** Parses a mail written by the outbox: headers and the plain text part. */
export function readMail(raw: string): Mail {
  const mail = partOf(raw.replaceAll('\r\n', '\n'));
  const boundary = /boundary="?([^";\n]+)/i.exec(mail.headers['content-type'] ?? '')?.[1];
  const parts = boundary === undefined ? [mail] : mail.body.split(`--${boundary}`).slice(1, -1).map(partOf);
  const plain = parts.find(({ headers }) => /text\/plain/i.test(headers['content-type'] ?? 'text/plain'));
  const text = plain ? decoded(plain).trim() : '';
  return {
    to: (mail.headers.to ?? '').replace(/^.*<|>.*$/g, ''),
    subject: words(mail.headers.subject ?? ''),
    text,
    // A code has a line of its own; other mails may contain numbers too.
    code: /^\s*(\d{6})\s*$/m.exec(text)?.[1] ?? null,
  };
}

interface Part {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function partOf(text: string): Part {
  const [, head = '', body = ''] = /^\n?([\s\S]*?)\n\n([\s\S]*)$/.exec(text) ?? [];
  const lines = head.replaceAll(/\n[ \t]+/g, ' ').split('\n');
  const headers = lines.map((line) => {
    const [name = '', value = ''] = line.split(/:(.*)/s);
    return [name.toLowerCase(), value.trim()];
  });
  return { headers: Object.fromEntries(headers), body };
}

function decoded({ headers, body }: Part): string {
  const encoding = headers['content-transfer-encoding']?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  return encoding === 'quoted-printable' ? quoted(body.replaceAll('=\n', '')) : body;
}

const quoted = (text: string) =>
  Buffer.from(
    Buffer.from(text)
      .toString('latin1')
      .replaceAll(/=([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();

/** Decodes encoded words in a header: =?UTF-8?B?…?= or =?UTF-8?Q?…?=. */
const words = (text: string) =>
  text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, value: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(value, 'base64').toString()
        : quoted(value.replaceAll('_', ' ')),
    );

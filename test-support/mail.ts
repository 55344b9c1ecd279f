import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

type Part = { headers: Map<string, string>; body: string };

/** Returns the six digits of a verification mail in any encoding. */
export function codeIn(raw: string): string {
  const code = /(?<!\d)\d{6}(?!\d)/.exec(mailText(raw))?.[0];
  if (code === undefined) throw new Error(`no six-digit code in this mail:\n${raw}`);
  return code;
}

/** Reports whether a mail has a code on a line of its own; notices of account changes have none. */
export const hasCode = (raw: string) => /^ *\d{6}\r?$/m.test(mailText(raw));

/** Returns what a reader sees: the plain text, or the HTML without tags. */
export function mailText(raw: string): string {
  const parts = leaves(parsePart(raw));
  const plain = parts.find((part) => contentType(part).startsWith('text/plain'));
  if (plain) return decode(plain);
  return parts.map((part) => withoutTags(decode(part))).join('\n');
}

/** Returns the raw mails that an `outbox:FOLDER` has written so far. */
export function readOutbox(folder: string): string[] {
  if (!existsSync(folder)) return [];
  // A name that begins with a dot is a mail that is still being written.
  const files = readdirSync(folder).filter((file) => /^[^.].*\.eml$/.test(file));
  return files.sort().map((file) => readFileSync(join(folder, file), 'utf8'));
}

/** Waits for the newest mail to this address that is not in `seen` and that `fits`. */
export async function waitForOutboxMail(
  folder: string,
  to: string,
  seen: string[] = [],
  fits: (raw: string) => boolean = () => true,
): Promise<string> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(20)) {
    const mail = readOutbox(folder).findLast((raw) => !seen.includes(raw) && isTo(raw, to) && fits(raw));
    if (mail !== undefined) return mail;
  }
  throw new Error(`no mail to ${to} in ${folder}`);
}

function isTo(raw: string, address: string): boolean {
  const recipients = parsePart(raw)
    .headers.get('to')
    ?.toLowerCase()
    .match(/[^\s<>,]+@[^\s<>,]+/g);
  return recipients?.includes(address.toLowerCase()) ?? false;
}

function parsePart(raw: string): Part {
  const [head = '', ...rest] = raw.replaceAll('\r\n', '\n').split('\n\n');
  const lines = head.replace(/\n[ \t]+/g, ' ').split('\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { headers: new Map(headers), body: rest.join('\n\n') };
}

function leaves(part: Part): Part[] {
  const boundary = /^multipart\/.*boundary="?([^";]+)"?/i.exec(contentType(part))?.[1];
  if (boundary === undefined) return [part];
  const sections = part.body.split(`--${boundary}`).slice(1, -1);
  return sections.flatMap((section) => leaves(parsePart(section.replace(/^\n/, ''))));
}

function contentType(part: Part): string {
  return part.headers.get('content-type') ?? 'text/plain';
}

function decode(part: Part): string {
  const encoding = part.headers.get('content-transfer-encoding')?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(part.body, 'base64').toString();
  if (encoding === 'quoted-printable') return decodeQuotedPrintable(part.body);
  return part.body;
}

function decodeQuotedPrintable(text: string): string {
  const bytes = Buffer.from(text.replaceAll('=\n', ''), 'utf8').toString('latin1');
  const decoded = bytes.replace(/=([0-9A-F]{2})/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(decoded, 'latin1').toString('utf8');
}

function withoutTags(html: string): string {
  return html.replace(/<style[\s\S]*?<\/style>/gi, '').replace(/<[^>]*>/g, ' ');
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codeIn, readOutbox, waitForOutboxMail } from './mail.ts';
import { tempDir } from './process.ts';

function mail(to: string, text: string): string {
  return `From: gate@example.com\r\nTo: "A player" <${to}>\r\nSubject: Code\r\n\r\n${text}\r\n`;
}

test('when a mail reaches the outbox, then its reader gets the newest unseen one', async () => {
  const folder = tempDir('outbox');
  const waiting = waitForOutboxMail(folder, 'a@example.com');
  writeFileSync(join(folder, '1.eml'), mail('aa@example.com', 'Code 999999'));
  writeFileSync(join(folder, '2.eml'), mail('a@example.com', 'Code 111111'));
  const first = await waiting;
  expect(codeIn(first)).toBe('111111');

  writeFileSync(join(folder, '3.eml'), mail('A@example.com', 'Code 222222'));
  expect(codeIn(await waitForOutboxMail(folder, 'a@example.com', [first]))).toBe('222222');
  expect(readOutbox(folder)).toHaveLength(3);
});

test('when a mail has no six digits on a line, then reading it fails', () => {
  expect(() => codeIn(mail('a@example.com', 'call 1234567 or 12345'))).toThrow('no six-digit code');
});

import { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { codeIn } from './mail.ts';
import { answers } from './server.ts';
import { type Smtp, startSmtp } from './smtp.ts';

let smtp: Smtp;

beforeAll(async () => {
  smtp = await startSmtp();
});
afterAll(() => smtp.stop());

function send(to: string, content: object) {
  return createTransport(smtp.url).sendMail({ from: 'gate@example.com', to, subject: '验证码', ...content });
}

async function* halfAMail() {
  yield 'half a mail';
  throw new Error('the sender left');
}

test('when mails are sent, then each waiter gets the next one to its address', async () => {
  await send('a@example.com', { text: 'Your code is 111111' });
  await send('b@example.com', { text: 'Your code is 222222' });
  await send('a@example.com', { text: 'Your code is 333333' });

  expect(codeIn((await smtp.waitForMessage('a@example.com')).raw)).toBe('111111');
  expect(codeIn((await smtp.waitForMessage('a@example.com')).raw)).toBe('333333');
  await expect(smtp.waitForMessage('a@example.com', 50)).rejects.toThrow('no mail to a@example.com');
  expect(smtp.messages).toHaveLength(3);
});

test('when the mail is encoded or has an HTML part, then the code is still found', async () => {
  const html = '<style>p { color: #123456 }</style><p>您的验证码是 <b>654321</b></p>';
  const contents = [
    { text: `${'验证码'.repeat(40)} 654321`, textEncoding: 'quoted-printable' },
    { text: `${'验证码'.repeat(40)} 654321`, textEncoding: 'base64' },
    { html },
    { text: '您的验证码是 654321', html },
  ];
  for (const content of contents) {
    await send('c@example.com', content);
    expect(codeIn((await smtp.waitForMessage('c@example.com')).raw)).toBe('654321');
  }
});

test('when it refuses, then the sender gets an error; when it hangs, then the sender gets no answer', async () => {
  smtp.setMode('refuse');
  await expect(send('d@example.com', { text: 'x' })).rejects.toThrow('550');

  smtp.setMode('hang');
  await expect.poll(() => answers(smtp.port)).toBe(true);
  expect(await answers(smtp.port, 'EHLO x\r\n', '2')).toBe(false);

  smtp.setMode('accept');
  await send('d@example.com', { text: 'x' });
  expect((await smtp.waitForMessage('d@example.com')).from).toBe('gate@example.com');
});

test('when a sender disconnects in the middle of a mail, then it is dropped and the next is accepted', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  onTestFinished(() => void process.off('unhandledRejection', unhandled));
  await expect(send('e@example.com', { text: Readable.from(halfAMail()) })).rejects.toThrow(
    'the sender left',
  );

  await send('f@example.com', { text: 'x' });
  await smtp.waitForMessage('f@example.com');
  expect(smtp.messages.filter(({ to }) => to.includes('e@example.com'))).toEqual([]);
  expect(unhandled).not.toHaveBeenCalled();
});

test('when the password is wrong, then the login is refused', async () => {
  const url = smtp.url.replace(/user:.*@/, 'user:wrong@');
  await expect(createTransport(url).verify()).rejects.toThrow('535');
});

test('when it stops, then it is gone', async () => {
  const other = await startSmtp();
  await other.stop();
  expect(await answers(other.port)).toBe(false);
});

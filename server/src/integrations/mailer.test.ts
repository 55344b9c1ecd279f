import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../../test-support/process.ts';
import { openMailer } from './mailer.ts';

test('when a mail is written to a folder, then only its owner can read it', async () => {
  const folder = tempDir('outbox');
  const log = { warn: () => {} };
  const mailer = openMailer({ url: `outbox:${folder}`, from: 'a@example.com', gameName: 'Game', log });
  await mailer.sendCode({ to: 'b@example.com', code: '123456', lifetime: 60, language: 'en' });
  mailer.close();
  const files = readdirSync(folder);
  expect(files.map((file) => statSync(join(folder, file)).mode & 0o777)).toEqual([0o600]);
});

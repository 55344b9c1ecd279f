import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempDir } from '../../../test-support/process.ts';
import { watchSettings } from './live.ts';
import { loadSettings } from './load.ts';

test('when the file changes between loading and watching it, then the change is in force', () => {
  const file = join(tempDir('settings'), 'gatehouse.toml');
  const auth = `[auth]\npassword_key = "old-generation-key"\njwt_secret = "${'x'.repeat(32)}"\n`;
  writeFileSync(file, auth);
  const initial = loadSettings(file);
  writeFileSync(file, `deny_ip = ["203.0.113.7"]\n${auth}`);
  const log = { info() {}, error() {} } as unknown as Parameters<typeof watchSettings>[0]['log'];
  const settings = watchSettings({ file, initial, log });
  onTestFinished(settings.close);
  expect(settings.current.deny_ip).toEqual(['203.0.113.7']);
});

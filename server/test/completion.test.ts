import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../test-support/process.ts';
import { runCommand } from '../../test-support/run-command.ts';

const folder = tempDir('completion');

async function scriptOf(shell: string): Promise<string> {
  const { code, stdout, stderr } = await runCommand(['completion', shell], {
    config: join(folder, 'none.toml'),
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

test('when bash completes a command, then it offers what the command table has', async () => {
  const file = join(folder, 'gatehouse.bash');
  writeFileSync(file, await scriptOf('bash'));
  const complete = (...words: string[]) => {
    const script = `. "$0"; COMP_WORDS=(gatehouse "$@"); COMP_CWORD=$#; _gatehouse; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-uc', script, file, ...words], { encoding: 'utf8' })
      .trim()
      .split('\n');
  };
  expect(complete('pl')).toEqual(['player']);
  expect(complete('')).toEqual(expect.arrayContaining(['serve', 'zone', 'completion', '--config']));
  expect(complete('zone', '')).toEqual(expect.arrayContaining(['list', 'add', 'set', 'test']));
  expect(complete('zone', 'set', '1', '--sta')).toEqual(['--status']);
  expect(complete('--config', 'x.toml', 'operator', 'key', 're')).toEqual(['revoke']);
  expect(complete('completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']));
  expect(complete('zone', 'nonsense-')).toEqual(['']);
});

test('when a script for zsh or fish is printed, then it has every command with its description', async () => {
  for (const shell of ['zsh', 'fish']) {
    const script = await scriptOf(shell);
    expect(script).toContain('manage game zones');
    expect(script).toContain("' zone add'");
  }
});

test('when another shell is named, then the command lists the supported ones', async () => {
  const { code, stderr } = await runCommand(['completion', 'csh'], { config: join(folder, 'none.toml') });
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('bash, zsh, fish') });
});

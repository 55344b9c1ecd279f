import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { tempDir } from './process.ts';

const root = resolve(import.meta.dirname, '..');
const git = (...args: string[]) =>
  execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/**
 * Returns the last commit of the version before this one: the one before CHANGELOG.md began to say "Unreleased". Undefined without the
 * history, as in a release or a shallow clone.
 */
export function previousVersion(): string | undefined {
  try {
    let since: string | undefined;
    for (const commit of git('log', '--format=%H', '--', 'CHANGELOG.md').split('\n').filter(Boolean)) {
      if (!/^## Unreleased$/m.test(git('show', `${commit}:CHANGELOG.md`)))
        return since && git('rev-parse', '--verify', `${since}^`).trim();
      since = commit;
    }
  } catch {
    // Not a repository, or no history.
  }
  return undefined;
}

/** Checks a commit out into a temporary folder whose service can be started. It shares the dependencies of this checkout. */
export function checkOut(commit: string): string {
  const folder = tempDir('previous');
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1 << 28 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@gatehouse'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@gatehouse') symlinkSync(join(root, 'node_modules', name), join(modules, name));
  for (const workspace of ['contract', 'server', 'simulators'])
    symlinkSync(join(folder, workspace), join(modules, '@gatehouse', workspace));
  const own = join(root, 'server/node_modules');
  if (existsSync(own)) symlinkSync(own, join(folder, 'server/node_modules'));
  return folder;
}

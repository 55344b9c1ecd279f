import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Builds the pages of players and operators, and the client library: npm run build. Skips a build whose inputs have not changed;
// --force builds anyway.

const root = join(import.meta.dirname, '..');

/** The console shares code with the players' pages, and both use the client and the contract. */
const inputsOf = {
  client: ['client'],
  web: ['web', 'client', 'contract'],
  console: ['console', 'web', 'client', 'contract'],
};
type Workspace = keyof typeof inputsOf;

/** A file that a finished build has. */
const resultOf = { client: 'package.json', web: 'index.html', console: 'index.html' };

function hashOf(workspace: Workspace): string {
  const files = inputsOf[workspace].flatMap((folder) =>
    globSync(`${folder}/**/*`, {
      cwd: root,
      exclude: ['**/node_modules', '**/dist', '**/test', '**/*.test.ts'],
    }),
  );
  const hash = createHash('sha256').update(process.version);
  for (const file of ['package-lock.json', ...files].sort()) {
    const path = join(root, file);
    if (statSync(path).isFile()) hash.update(`${file}\0`).update(readFileSync(path));
  }
  return hash.digest('hex');
}

/** In node_modules, so that a fresh install rebuilds. */
const stampOf = (workspace: Workspace) => join(root, `node_modules/.gatehouse-build-${workspace}`);

function isUpToDate(workspace: Workspace, hash: string): boolean {
  const stamp = stampOf(workspace);
  return (
    existsSync(join(root, workspace, 'dist', resultOf[workspace])) &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === hash
  );
}

async function build(workspace: Workspace): Promise<number> {
  const hash = hashOf(workspace);
  if (!process.argv.includes('--force') && isUpToDate(workspace, hash)) {
    console.log(`build: ${workspace}/dist is up to date`);
    return 0;
  }
  console.log(`build: ${workspace}/dist`);
  const quietly = workspace === 'client' ? [] : ['--', '--logLevel', 'warn'];
  const child = spawn('npm', ['run', 'build', '--silent', '--workspace', workspace, ...quietly], {
    cwd: root,
    stdio: 'inherit',
  });
  const status = await new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? 1)));
  if (status === 0) writeFileSync(stampOf(workspace), hash);
  return status;
}

process.exitCode = Math.max(...(await Promise.all([build('client'), build('web'), build('console')])));

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Builds the pages of players and operators: npm run build. Skips a build whose inputs have not changed; --force builds anyway.

const root = join(import.meta.dirname, '..');

/** The console shares code with the players' pages, and both use the contract. */
const inputsOf = {
  web: ['web', 'contract'],
  console: ['console', 'web', 'contract'],
};
type Pages = keyof typeof inputsOf;

function hashOf(pages: Pages): string {
  const files = inputsOf[pages].flatMap((folder) =>
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
const stampOf = (pages: Pages) => join(root, `node_modules/.gatehouse-build-${pages}`);

function isUpToDate(pages: Pages, hash: string): boolean {
  const stamp = stampOf(pages);
  return (
    existsSync(join(root, pages, 'dist/index.html')) &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === hash
  );
}

async function build(pages: Pages): Promise<number> {
  const hash = hashOf(pages);
  if (!process.argv.includes('--force') && isUpToDate(pages, hash)) {
    console.log(`build: ${pages}/dist is up to date`);
    return 0;
  }
  console.log(`build: ${pages}/dist`);
  const child = spawn('npm', ['run', 'build', '--silent', '--workspace', pages, '--', '--logLevel', 'warn'], {
    cwd: root,
    stdio: 'inherit',
  });
  const status = await new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? 1)));
  if (status === 0) writeFileSync(stampOf(pages), hash);
  return status;
}

process.exitCode = Math.max(...(await Promise.all([build('web'), build('console')])));

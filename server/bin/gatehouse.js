#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const beside = (path) => fileURLToPath(new URL(path, import.meta.url));
// Keep V8 from shrinking the heap in quiet hours, and the young generation from growing under load.
const flags = ['--no-memory-reducer', '--max-semi-space-size=8'];
const hasFlags = flags.every((flag) => process.execArgv.includes(flag));

// Node before 26 cannot run it (it runs no TypeScript, or has no Temporal); the one that came with the dependencies can.
const fits = Boolean(process.features.typescript) && 'Temporal' in globalThis;
if (!fits) runInChild(bundledNode());
else if (process.argv.includes('serve') && !hasFlags) runInChild(process.execPath);
else await runHere();

async function runHere() {
  // First, so that the types of the program are removed only once.
  await import('../src/cli/compile-cache.js');
  // TypeScript in a copy of the repository, a bundle in a release: Node runs no TypeScript below node_modules.
  await import(existsSync(beside('../src/cli/main.ts')) ? '../src/cli/main.ts' : '../dist/main.js');
}

function bundledNode() {
  const found = ['../../node_modules/.bin/node', '../../../.bin/node'].map(beside).find(existsSync);
  if (found !== undefined && !hasFlags) return found;
  console.error(
    `gatehouse: this Node is ${process.version}; install 26 or newer, or the one that comes with the optional dependencies.`,
  );
  process.exit(1);
}

function runInChild(node) {
  const env = { MALLOC_ARENA_MAX: '2', ...process.env };
  const child = spawn(node, [...flags, beside('gatehouse.js'), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env,
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    // The dynamic linker has printed which library is missing.
    if (code === 127) console.error('gatehouse: on Debian: apt-get install libatomic1');
    process.exit(code ?? (signal ? 1 : 0));
  });
}

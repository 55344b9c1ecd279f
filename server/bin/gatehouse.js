#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const beside = (path) => fileURLToPath(new URL(path, import.meta.url));
// TypeScript in a copy of the repository, JavaScript in a release: Node runs no TypeScript below node_modules.
const program = ['../src/cli/main.ts', '../src/cli/main.js'].map(beside).find(existsSync);
// A warm server stays warm in quiet hours, and its memory small under load.
const flags = ['--no-memory-reducer', '--max-semi-space-size=8'];

// Node before 22.18 cannot run it; the one that came with the dependencies can.
const fits = Boolean(process.features.typescript);
const needsFlags = process.argv.includes('serve') && !flags.every((flag) => process.execArgv.includes(flag));
if (fits && !needsFlags) await import(pathToFileURL(program).href);
else runInChild(fits ? process.execPath : bundledNode());

function bundledNode() {
  const found = ['../../node_modules/.bin/node', '../../../.bin/node'].map(beside).find(existsSync);
  if (found !== undefined) return found;
  console.error(
    `gatehouse: this Node is ${process.version}; install 22.18 or newer, or the one that comes with the optional dependencies.`,
  );
  process.exit(1);
}

function runInChild(node) {
  const env = { MALLOC_ARENA_MAX: '2', ...process.env };
  const child = spawn(node, [...flags, program, ...process.argv.slice(2)], { stdio: 'inherit', env });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}

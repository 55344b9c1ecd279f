#!/usr/bin/env node
// Node before 24 cannot run TypeScript; the one that came with the dependencies can.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
const bundled = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url));
const node = process.features.typescript ? process.execPath : bundled;

// A warm server stays warm in quiet hours, and its memory small under load.
const flags = ['--no-memory-reducer', '--max-semi-space-size=8'];
const env = { MALLOC_ARENA_MAX: '2', ...process.env };

const child = spawn(node, [...flags, program, ...process.argv.slice(2)], { stdio: 'inherit', env });
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const BUDGET = 72_000;

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const html = readFileSync(`${dist}index.html`, 'utf8');
/** One per language; a page loads only its own. */
const texts = readdirSync(`${dist}assets`)
  .filter((file) => /^(?:zh-CN|en)-.*\.js$/.test(file))
  .map((file) => `assets/${file}`);
const scriptFiles = readdirSync(`${dist}assets`).filter((file) => file.endsWith('.js'));
const scripts = scriptFiles.map((file) => readFileSync(`${dist}assets/${file}`, 'utf8'));

test('when the login page loads first, then its script and style weigh at most 72 kB gzipped', () => {
  const loaded = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, file]) => file);
  expect(loaded.length).toBeGreaterThan(1);
  const weightOf = (file: string | undefined) => gzipSync(readFileSync(dist + file)).length;
  const weight = loaded.reduce((sum, file) => sum + weightOf(file), 0);
  expect(weight + Math.max(...texts.map(weightOf))).toBeLessThanOrEqual(BUDGET);
});

test('when a page loads, then only the texts of one language are loaded', () => {
  expect(texts).toHaveLength(2);
  for (const file of texts) expect(html).not.toContain(file);
});

test('when the page is built, then it loads nothing from other origins and has nothing inline', () => {
  expect(html).not.toMatch(/(?:src|href)="(?!\/)/);
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/);
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/);
});

test('when the scripts are built, then they use no eval and do not contain the schema library', () => {
  for (const script of scripts) {
    expect(script).not.toMatch(/\bnew Function\(|\beval\(/);
    expect(script).not.toContain('typebox');
  }
});

test('when the scripts name the key of the stored token, then only in one place', () => {
  const mentions = scripts.reduce((sum, script) => sum + script.split('CQ-TOKEN').length - 1, 0);
  expect(mentions).toBe(1);
});

test('when a script is built, then it begins with the hint that makes Chromium compile it while it loads', () => {
  const plain = scriptFiles.filter((_, n) => !scripts[n]?.startsWith('//# allFunctionsCalledOnLoad\n'));
  // The worker that solves challenges does not block a page.
  expect(plain).toEqual([expect.stringMatching(/^challenge-worker-/)]);
});

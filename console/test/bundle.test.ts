import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const BUDGET = 150_000;

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const html = readFileSync(`${dist}index.html`, 'utf8');
/** Excludes the compressed copies. */
const files = readdirSync(`${dist}assets`).filter((file) => /\.(?:js|css)$/.test(file));
const scripts = files
  .filter((file) => file.endsWith('.js'))
  .map((file) => readFileSync(`${dist}assets/${file}`, 'utf8'));

const gzipped = (file: string) => gzipSync(readFileSync(`${dist}assets/${file}`)).length;
const sum = (names: readonly string[]) => names.reduce((total, file) => total + gzipped(file), 0);

test('when the overview loads first, with its plots and texts, then it weighs at most 150 kB gzipped', () => {
  const loaded = [...html.matchAll(/(?:src|href)="\/console\/assets\/([^"]+\.(?:js|css))"/g)].map(
    ([, file]) => file ?? '',
  );
  expect(loaded.length).toBeGreaterThan(1);
  // What the first screen also fetches; shared chunks are counted with the largest language.
  const first = files.filter((file) => /^(?:OverviewView|TimePlot|plot|zh-CN)-/.test(file));
  expect(first.length).toBe(4);
  expect(sum([...new Set([...loaded, ...first])])).toBeLessThanOrEqual(BUDGET);
});

test('when the first screen loads on a slow network, then it waits for few files, because each costs a round trip', () => {
  const atOnce = [...html.matchAll(/(?:src|href)="\/console\/assets\/[^"]+\.(?:js|css)"/g)];
  expect(atOnce.length).toBeLessThanOrEqual(6);
  expect(files.filter((file) => file.endsWith('.css'))).toHaveLength(1);
});

test('when the page is built, then it loads nothing from other origins and has nothing inline', () => {
  expect(html).not.toMatch(/(?:src|href)="(?!\/console\/)/);
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/);
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/);
});

test('when the scripts are built, then they use no eval and do not contain the schema library', () => {
  for (const script of scripts) {
    expect(script).not.toMatch(/\bnew Function\(|\beval\(/);
    expect(script).not.toContain('typebox');
  }
});

test('when the console is built, then it has no code of the players’ session, and the players’ pages have none of its', () => {
  for (const script of scripts) expect(script).not.toContain('CQ-TOKEN');
  const players = fileURLToPath(new URL('../../web/dist/assets/', import.meta.url));
  for (const file of readdirSync(players).filter((name) => name.endsWith('.js')))
    expect(readFileSync(players + file, 'utf8')).not.toMatch(/\/api\/admin|gatehouse\.console/);
});

import { beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => {
  localStorage.clear();
  vi.resetModules();
});

test.each([
  [['zh-CN', 'en'], 'zh-CN'],
  [['zh-TW'], 'zh-CN'],
  [['en-GB', 'zh-CN'], 'en'],
  [['fr', 'zh'], 'zh-CN'],
  [['de-DE'], 'en'],
  [[], 'en'],
] as const)('when the browser prefers %j, then the page is in %j', async (wanted, spoken) => {
  const { preferred } = await import('./language.ts');
  expect(preferred(wanted)).toBe(spoken);
});

test('when a player chooses a language, then the next visit uses it', async () => {
  (await import('./language.ts')).setLanguage('en');
  vi.resetModules();
  expect((await import('./language.ts')).language.value).toBe('en');
  (await import('./language.ts')).setLanguage('zh-CN');
  vi.resetModules();
  expect((await import('./language.ts')).language.value).toBe('zh-CN');
});

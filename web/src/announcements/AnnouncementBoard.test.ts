import type { Announcement } from '@gatehouse/contract/player';
import { flushPromises, mount } from '@vue/test-utils';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';

const announcement = (id: number, level: Announcement['level'], title: string): Announcement => ({
  id,
  level,
  title,
  body: `<b>${title}</b>\nsecond line`,
  language: null,
  from: null,
  until: null,
});

/** Mounts a fresh board with these announcements. */
async function show(announcements: Announcement[] | 'fails') {
  vi.resetModules();
  const { api } = await import('../api/client.ts');
  const { GatehouseError } = await import('@gatehouse/client');
  const { changeLanguage } = await import('../i18n/index.ts');
  const { default: AnnouncementBoard } = await import('./AnnouncementBoard.vue');
  await changeLanguage('en');
  const called = vi.spyOn(api, 'announcementList');
  if (announcements === 'fails') called.mockRejectedValue(new GatehouseError('unreachable'));
  else called.mockResolvedValue({ announcements });
  const page = mount(AnnouncementBoard);
  onTestFinished(() => page.unmount());
  await flushPromises();
  return { page, called, changeLanguage, title: () => page.find('h2').text() };
}

beforeEach(() => sessionStorage.clear());
afterEach(() => vi.restoreAllMocks());

test('when several announcements are in force, then the warning is first, and the player can turn to the next one', async () => {
  const { page, title } = await show([
    announcement(2, 'info', 'News'),
    announcement(1, 'warning', 'Downtime'),
  ]);
  expect(title()).toBe('Important:  Downtime');
  expect(page.text()).toContain('1/2');
  await page.find('.link').trigger('click');
  expect(title()).toBe('News');
  await page.find('.link').trigger('click');
  expect(title()).toContain('Downtime');
});

test('when the player closes one, then it stays closed for the session, and others are shown', async () => {
  const both = [announcement(2, 'info', 'News'), announcement(1, 'warning', 'Downtime')];
  const { page, title } = await show(both);
  await page.find('.close').trigger('click');
  expect(title()).toBe('News');
  expect((await show(both)).title()).toBe('News');
  await page.find('.close').trigger('click');
  expect(page.find('section').exists()).toBe(false);
  expect((await show([...both, announcement(3, 'info', 'More news')])).title()).toBe('More news');
});

test('when the text contains markup, then it is shown as text', async () => {
  const { page } = await show([announcement(1, 'info', 'News')]);
  expect(page.find('.body').text()).toBe('<b>News</b>\nsecond line');
  expect(page.find('.body b').exists()).toBe(false);
});

test('when the list cannot be loaded, then nothing is shown; when the language changes, then it is loaded again', async () => {
  const { page, called, changeLanguage } = await show('fails');
  expect(page.text()).toBe('');
  await changeLanguage('zh-CN');
  await flushPromises();
  expect(called).toHaveBeenCalledTimes(2);
});

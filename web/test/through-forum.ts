import type { browserSuite } from './browser-suite.ts';

/** Goes to the forum and back as one of its users; null cancels there. */
export async function throughForum(
  suite: ReturnType<typeof browserSuite>,
  user: string | null,
  path = '/login',
) {
  const session = await suite.openSession('desktop');
  const { page, goTo } = session;
  await goTo(path);
  await page.getByRole('link', { name: /Lantern Forum/ }).click();
  if (user === null) await page.getByRole('link').first().click();
  else await page.getByRole('button', { name: user }).click();
  return session;
}

import type { Locator, Page } from 'playwright-core';

/** Fills in and submits the open dialog. Resolves once the audit entry is shown. */
export async function submitDialog(page: Page, fields: Record<string, string>, done: string | RegExp) {
  const dialog = page.getByRole('dialog');
  for (const [name, value] of Object.entries(fields)) await dialog.locator(`[name=${name}]`).fill(value);
  await dialog.locator('button[type=submit]').click();
  await page
    .locator('.toast', { hasText: done })
    .getByText(/audit (entry|log)/)
    .waitFor();
}

/** Counts the clicks of a person from the next page load on. A choice in a select counts as one. */
export async function countClicks(page: Page) {
  let clicks = 0;
  await page.exposeFunction('countClick', () => {
    clicks += 1;
  });
  await page.addInitScript(`
    addEventListener('pointerdown', () => countClick(), true);
    addEventListener('change', ({ target }) => target instanceof HTMLSelectElement && countClick(), true);
  `);
  return {
    /** Returns the clicks since the last call. */
    take() {
      const taken = clicks;
      clicks = 0;
      return taken;
    },
  };
}

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

/** Next to every dialog. */
const BACKDROP = [5, 5] as const;
export const clickBackdrop = (page: Page) => page.mouse.click(...BACKDROP);

/** Presses on an element and releases on the backdrop, as when text is selected beyond the edge of a dialog. */
export async function dragToBackdrop(page: Page, from: Locator) {
  await from.hover();
  await page.mouse.down();
  await page.mouse.move(...BACKDROP, { steps: 2 });
  await page.mouse.up();
}

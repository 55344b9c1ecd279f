import type { Page } from 'playwright-core';

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

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

import type { Page } from 'playwright-core';

/** Fills in the dialog that is open and makes the change; answers once the audit entry is named. */
export async function submitDialog(page: Page, fields: Record<string, string>, done: string | RegExp) {
  const dialog = page.getByRole('dialog');
  for (const [name, value] of Object.entries(fields)) await dialog.locator(`[name=${name}]`).fill(value);
  await dialog.locator('button[type=submit]').click();
  await page
    .locator('.toast', { hasText: done })
    .getByText(/Audit #/)
    .waitFor();
}

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

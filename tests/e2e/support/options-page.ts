import type { Locator, Page } from 'playwright-core';

/** What a user types to add a server over HTTP. */
export type TypedServer = {
  name: string;
  transport: 'Streamable HTTP' | 'SSE';
  url: string;
  headers?: string;
  trusted?: boolean;
};

/** Shows the fields of a new server that are rarely needed. */
export async function openAdvanced(page: Page): Promise<void> {
  const advanced = page.locator('details', { has: page.getByText('Advanced', { exact: true }) });
  if ((await advanced.getAttribute('open')) === null) await advanced.getByText('Advanced').click();
}

/** Adds a server on the options page, and waits until the page says that it is connected. */
export async function addByHand(page: Page, typed: TypedServer): Promise<void> {
  await page.evaluate("location.hash = '#servers'");
  await page.getByRole('button', { name: 'Add server' }).first().click();
  await openAdvanced(page);
  await page.getByLabel('Name', { exact: true }).fill(typed.name);
  await page.getByRole('combobox', { name: 'Transport' }).selectOption(typed.transport);
  await page.getByRole('textbox', { name: 'URL' }).fill(typed.url);
  if (typed.headers !== undefined) await page.getByRole('textbox', { name: 'Headers' }).fill(typed.headers);
  if (typed.trusted) await page.getByRole('checkbox', { name: 'Trust this server' }).check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(`Connected: ${typed.name}`).waitFor();
}

/** A server’s line in the list of servers. */
export function serverLine(page: Page, name: string): Locator {
  return page.getByRole('list', { name: 'Servers' }).getByRole('listitem', { name, exact: true });
}

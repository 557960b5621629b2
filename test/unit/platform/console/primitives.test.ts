import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { HAS_CHROMIUM, launchChromium } from '../../../support/chromium.ts';
import { expectGood, expectGoodInAllForms, PATIENT } from '../../../support/console/open-console.ts';
import { openGallery } from '../../../support/console/open-gallery.ts';

let browser: Browser;
let gallery: Awaited<ReturnType<typeof openGallery>>;
beforeAll(async () => {
  if (!HAS_CHROMIUM) return;
  browser = await launchChromium();
  gallery = await openGallery(browser);
}, PATIENT);
afterEach(() => gallery?.expectQuiet());
afterAll(() => browser?.close());

const hasFocus = (page: Page, role: 'button' | 'menuitem' | 'tab' | 'treeitem' | 'link' | 'combobox', name: string) =>
  page.getByRole(role, { name, exact: true }).evaluate((element) => element === element.ownerDocument.activeElement);

describe.runIf(HAS_CHROMIUM)('the primitives of the console', { timeout: PATIENT }, () => {
  it('have no violation and fit in every form, with ugly content too', async () => {
    for (const part of ['controls', 'layers', 'states', 'graph', 'rows', 'late-rows']) {
      const page = await gallery.open(part);
      await page.getByRole('status').first().waitFor({ state: 'attached' });
      await expectGoodInAllForms(page, part);
      expect(await page.title()).toBe('Gallery');
      await page.close();
    }
  });

  it('menu: arrows and letters move, Enter chooses, Escape returns to the button', async () => {
    const page = await gallery.open('layers');
    const button = page.getByRole('button', { name: 'Actions' });
    await button.focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => hasFocus(page, 'menuitem', 'Rename')).toBe(true);
    expect(await button.getAttribute('aria-expanded')).toBe('true');
    await expectGood(page, 'menu');
    await page.keyboard.press('ArrowUp');
    expect(await hasFocus(page, 'menuitem', 'Delete')).toBe(true);
    await page.keyboard.press('Home');
    await page.keyboard.press('c');
    expect(await hasFocus(page, 'menuitem', 'Copy')).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByText('Chosen: Copy').waitFor();
    await button.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => hasFocus(page, 'menuitem', 'Rename')).toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(() => hasFocus(page, 'button', 'Actions')).toBe(true);
    await expect.poll(() => button.getAttribute('aria-expanded')).toBe('false');
    await page.close();
  });

  it('dialog: keeps the focus within, confirms only the typed name, and returns the focus', async () => {
    const page = await gallery.open('layers');
    const button = page.getByRole('button', { name: 'Actions' });
    await button.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => hasFocus(page, 'menuitem', 'Rename')).toBe(true);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Delete orders' });
    await dialog.waitFor();
    await expectGoodInAllForms(page, 'dialog');
    expect(await dialog.getByRole('button', { name: 'Delete', exact: true }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => hasFocus(page, 'button', 'Actions')).toBe(true);
    await page.keyboard.press('Enter');
    await expect.poll(() => hasFocus(page, 'menuitem', 'Rename')).toBe(true);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Type “orders” to confirm').fill('orders');
    await page.keyboard.press('Enter');
    await page.getByText('Chosen: deleted').waitFor();
    await expect.poll(() => hasFocus(page, 'button', 'Actions')).toBe(true);
    await page.close();
  });

  it('two versions: show where they differ, and wait for the choice', async () => {
    const page = await gallery.open('layers');
    const button = page.getByRole('button', { name: 'Save the draft' });
    await button.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Two versions of this' });
    await dialog.waitFor();
    const terms = dialog.getByRole('term');
    expect(await terms.allTextContents()).toEqual(['Name', 'Note', 'Steps']);
    expect(await dialog.getByRole('definition').allTextContents()).toEqual([
      'Theirs: hers',
      'Yours: his',
      expect.stringMatching(/^Theirs: <.td><img/),
      'Yours: nothing',
      'Theirs: 2 steps',
      'Yours: 2 steps',
    ]);
    await expectGoodInAllForms(page, 'two versions');
    await page.keyboard.press('Escape');
    await expect.poll(() => hasFocus(page, 'button', 'Save the draft')).toBe(true);
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Keep mine' }).press('Enter');
    await page.getByText('Chosen: mine').waitFor();
    await page.close();
  });

  it('states: what is not in the plan is no error', async () => {
    const page = await gallery.open('states');
    const state = page.getByRole('status').filter({ hasText: 'Not in your plan' });
    await state.waitFor();
    expect(await state.getByRole('button').count()).toBe(0);
    await page.close();
  });

  it('popover: Escape closes it and returns to its button', async () => {
    const page = await gallery.open('layers');
    await page.getByRole('button', { name: 'More' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'More' }).getByRole('button', { name: 'Done' }).waitFor();
    await expectGood(page, 'popover');
    await page.keyboard.press('Escape');
    await expect.poll(() => hasFocus(page, 'button', 'More')).toBe(true);
    await page.close();
  });

  it('toast: is announced, and its action undoes', async () => {
    const page = await gallery.open('layers');
    await page.getByRole('button', { name: 'Toast' }).press('Enter');
    const undo = page.getByRole('status').getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await expectGood(page, 'toast');
    await undo.press('Enter');
    await page.getByText('Chosen: undone').waitFor();
    await undo.waitFor({ state: 'detached' });
    await page.close();
  });

  it('tabs: arrows move and show', async () => {
    const page = await gallery.open('controls');
    await page.getByRole('tab', { name: 'One' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('This is part two.').waitFor();
    await page.keyboard.press('End');
    await page.getByText('This is part three.').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByText('This is part one.').waitFor();
    await expect.poll(() => hasFocus(page, 'tab', 'One')).toBe(true);
    expect(await page.getByRole('tab', { name: 'Two' }).getAttribute('tabindex')).toBe('-1');
    expect(page.url()).not.toContain('part=');
    await page.getByRole('tab', { name: 'Two 12' }).click();
    await page.getByText('This is part two.').waitFor();
    expect(page.url()).toContain('?part=two');
    await page.close();
  });

  it('combobox: completes what is typed', async () => {
    const page = await gallery.open('controls');
    const field = page.getByRole('combobox', { name: 'City' });
    await expect.poll(() => field.getAttribute('aria-expanded')).toBe('false');
    await field.fill('b');
    await page.getByRole('option', { name: 'Basel' }).waitFor();
    expect(await field.getAttribute('aria-expanded')).toBe('true');
    await expectGood(page, 'combobox');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => field.inputValue()).toBe('Berlin');
    await page.getByRole('option').first().waitFor({ state: 'hidden' });
    await field.fill('z');
    await page.getByRole('option', { name: 'Zürich' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('option').first().waitFor({ state: 'hidden' });
    expect(await field.inputValue()).toBe('z');
    await page.close();
  });

  it('tree: arrows open, move and close', async () => {
    const page = await gallery.open('controls');
    await page.getByRole('treeitem', { name: 'public' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('treeitem', { name: 'orders' }).waitFor();
    await expectGood(page, 'tree');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => hasFocus(page, 'treeitem', 'orders')).toBe(true);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('treeitem', { name: 'orders' }).waitFor({ state: 'detached' });
    await page.keyboard.press('End');
    await expect.poll(() => hasFocus(page, 'treeitem', 'staging')).toBe(true);
    await page.close();
  });

  it('graph: arrows move along the edges, to nodes that have a link', async () => {
    const page = await gallery.open('graph');
    const has = (id: string) =>
      page.locator(`[data-node=${id}]`).evaluate((element) => element === element.ownerDocument.activeElement);
    await page.locator('[data-node=one]').focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => has('two')).toBe(true);
    await page.keyboard.press('ArrowRight');
    expect(await has('two')).toBe(true);
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => has('three')).toBe(true);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => has('one')).toBe(true);
    await page.close();
  });

  it('table: 10,000 rows have few elements, and j and k reach each of them', async () => {
    const page = await gallery.open('rows');
    await page.getByRole('link', { name: 'Row 0', exact: true }).waitFor();
    const elements = () => page.evaluate('document.querySelectorAll("*").length') as Promise<number>;
    expect(await elements()).toBeLessThan(800);
    for (let row = 0; row < 60; row += 1) {
      await page.keyboard.press('j');
      await expect.poll(() => hasFocus(page, 'link', `Row ${row}`), { interval: 10 }).toBe(true);
    }
    await page.keyboard.press('k');
    await expect.poll(() => hasFocus(page, 'link', 'Row 58')).toBe(true);
    await page.getByRole('region', { name: 'Rows' }).press('End');
    await page.getByRole('link', { name: 'Row 9999', exact: true }).waitFor();
    expect(await elements()).toBeLessThan(800);
    // What is drawn is in sight: rows are as high as the room that is kept for those that are not drawn.
    const box = await page.getByRole('region', { name: 'Rows' }).boundingBox();
    const row = await page.getByRole('row', { name: 'Row 9999' }).boundingBox();
    expect(Math.abs(box!.y + box!.height - (row!.y + row!.height))).toBeLessThan(4);
    await expectGood(page, 'the last rows');
    await page.close();
  });

  it('table: keys pressed faster than rows are drawn and read are not lost; a failed page is read again', async () => {
    const page = await gallery.open('late-rows');
    await page.getByRole('link', { name: 'Row 0', exact: true }).waitFor();
    await page.evaluate(`for (let count = 0; count < 300; count += 1)
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }))`);
    await expect.poll(() => hasFocus(page, 'link', 'Row 299')).toBe(true);
    await page.keyboard.press('k');
    await expect.poll(() => hasFocus(page, 'link', 'Row 298')).toBe(true);
    await page.evaluate(`document.querySelector('.table-box').scrollTop = 150 * 41`);
    const alert = page.getByRole('alert').filter({ hasText: 'Some rows could not be read.' });
    await alert.waitFor();
    await expectGoodInAllForms(page, 'rows that could not be read');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Row 150', exact: true }).waitFor();
    await alert.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Size' }).click();
    await page.getByText('Sorted by -size').waitFor();
    expect(await page.getByRole('columnheader', { name: 'Size' }).getAttribute('aria-sort')).toBe('descending');
    await page.getByRole('button', { name: 'Size' }).click();
    await page.getByText('Sorted by size').waitFor();
    await page.close();
  });
});

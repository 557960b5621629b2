import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { expectGoodInAllForms, HAS_CHROMIUM, PATIENT, useConsoles } from '../../../support/console/open-console.ts';

const consoles = useConsoles();

describe.runIf(HAS_CHROMIUM)('the sign-in to the console', () => {
  it('opens the screen that was asked for, and ends with the sign-out', { timeout: PATIENT }, async ({ api }) => {
    const page = await consoles.open(api, { as: null });
    const { email, password } = await api.password('owner');
    await page.getByLabel('Email').waitFor();
    await expectGoodInAllForms(page, 'sign-in');
    await page.getByLabel('Email').fill(email);
    await page.keyboard.press('Enter');
    await page.getByLabel('Password').fill('wrong');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('INVALID_CREDENTIALS');
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    // The owner of the company has several workspaces.
    const choice = page.getByRole('heading', { name: 'Choose a workspace' });
    const home = page.getByRole('heading', { name: 'Needs attention' });
    await choice.or(home).first().waitFor();
    if (await choice.isVisible()) await page.getByRole('listitem').first().getByRole('button').click();
    await home.waitFor();
    await page.reload();
    await home.waitFor();
    expect(
      await page.evaluate('JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])'),
    ).not.toMatch(/eyJ|refresh/i);
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: /^Sign out/ }).click();
    await page.getByLabel('Email').waitFor();
    await page.reload();
    await page.getByLabel('Email').waitFor();
  });
});

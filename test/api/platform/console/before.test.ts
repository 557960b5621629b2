import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import {
  expectGoodInAllForms,
  HAS_CHROMIUM,
  PATIENT,
  signInTo,
  useConsoles,
} from '../../../support/console/open-console.ts';
import { mailTo, tokenIn } from '../../../support/given/mails.ts';
import { givenMember } from '../../../support/given/member.ts';
import { givenSecondFactor } from '../../../support/given/second-factor.ts';

const consoles = useConsoles();
const NEW_PASSWORD = 'a new password of the person';

/** The requests of a page with their addresses and bodies, to see that a token is in no address. */
const addressesOf = (page: Page): string[] => {
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  return addresses;
};

describe.runIf(HAS_CHROMIUM)('the pages before the sign-in', { timeout: PATIENT }, () => {
  it('send and take the link for a forgotten password', async ({ api }) => {
    const person = await givenMember(api);
    const page = await consoles.open(api, { as: null });
    await page.getByLabel('Email').fill(person.email);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Forgot password' }).click();
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    await expectGoodInAllForms(page, 'link sent');
    const token = tokenIn(await mailTo(api, person.email));

    const addresses = addressesOf(page);
    await page.goto(`${api.endpoint}/api/console/reset-password#token=${token}`);
    await page.getByLabel('New password').fill('short');
    expect(page.url()).toBe(`${api.endpoint}/api/console/reset-password`);
    await page.keyboard.press('Enter');
    // The browser itself asks for more.
    expect(await page.getByRole('heading', { name: 'Your password has been changed' }).count()).toBe(0);
    await expectGoodInAllForms(page, 'new password');
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your password has been changed' }).waitFor();
    expect(addresses.filter((address) => new URL(address).search.includes(token.slice(-20)))).toEqual([]);
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await signInTo(page, { email: person.email, password: NEW_PASSWORD });
    expect(new URL(page.url()).pathname).toBe('/api/console');

    const used = await consoles.open(api, { as: null, path: `/reset-password#token=${token}` });
    await used.getByLabel('New password').fill(NEW_PASSWORD);
    await used.keyboard.press('Enter');
    await expect.poll(() => used.getByRole('alert').textContent()).toContain('INVALID_RESET_TOKEN');
  });

  it('take an invitation, with a new account', async ({ api }) => {
    const email = `new-${crypto.randomUUID()}@example.com`;
    await api.as('owner').post('/api/workspaces/invitations', { email, role: 'viewer' });
    const token = tokenIn(await mailTo(api, email));
    const page = await consoles.open(api, { as: null, path: `/accept-invitation#token=${token}` });
    await page.getByLabel('Name').fill('Ada <b>');
    await page.getByLabel('Password').fill(NEW_PASSWORD);
    await expectGoodInAllForms(page, 'invitation');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'You have joined Test' }).waitFor();
    await expectGoodInAllForms(page, 'joined');
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await signInTo(page, { email, password: NEW_PASSWORD });
    await page.getByRole('heading', { name: 'Welcome, Ada <b>' }).waitFor();
  });

  it('say when a link is incomplete', async ({ api }) => {
    for (const path of ['/reset-password', '/accept-invitation', '/confirm-email']) {
      const page = await consoles.open(api, { as: null, path });
      await page.getByRole('heading', { name: 'This link is incomplete' }).waitFor();
      await expectGoodInAllForms(page, `incomplete${path}`);
      await page.goto(`${api.endpoint}/api/console${path}#token=none`);
      await page.reload();
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
    const page = await consoles.open(api, { as: null, path: '/confirm-email#token=none' });
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('INVALID_EMAIL_TOKEN');
  });

  it('ask for the second factor', async ({ api }) => {
    const person = await givenMember(api);
    const { recoveryCodes } = await givenSecondFactor(api, person);
    const page = await consoles.open(api, { as: null });
    await page.getByLabel('Email').fill(person.email);
    await page.keyboard.press('Enter');
    await page.getByLabel('Password').fill(person.password);
    await page.keyboard.press('Enter');
    await page.getByLabel('Code').fill('000000');
    await expectGoodInAllForms(page, 'second factor');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('INVALID_MFA_CODE');
    await page.getByLabel('Code').fill(recoveryCodes[0]!);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
  });

  it('let a person with several workspaces choose, and remember it', async ({ api }) => {
    const { email, password } = await api.password('owner');
    // The company has workspaces of other tests too, which may be closed or ask for more.
    const names = ['one', `other${'OfAVeryLongName'.repeat(10)}`].map((name) => `${name} ${crypto.randomUUID()}`);
    const ids: string[] = [];
    for (const name of names) ids.push((await api.as('owner').post('/api/workspaces', { name })).body.id);
    const page = await consoles.open(api, { as: null });
    await page.getByLabel('Email').fill(email);
    await page.keyboard.press('Enter');
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Choose a workspace' }).waitFor();
    await expectGoodInAllForms(page, 'workspaces');
    await page.getByRole('listitem').getByRole('button', { name: names[0]! }).click();
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    expect(await page.evaluate('localStorage["last-workspace"]')).toBe(ids[0]);
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: /^Sign out/ }).click();
    await signInTo(page, { email, password });
    expect(await page.evaluate('localStorage["last-workspace"]')).toBe(ids[0]);
    // The menu at the top leads to the others.
    await page.locator('.top .workspace').click();
    await page.getByRole('menuitemradio').first().waitFor();
    await expectGoodInAllForms(page, 'workspace menu');
    await page.getByRole('menuitemradio', { name: names[1]!, checked: false }).click();
    await expect.poll(() => page.evaluate('localStorage["last-workspace"]')).toBe(ids[1]);
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
  });
});

import { TOTP } from 'otpauth';
import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import {
  expectGoodInAllForms,
  HAS_CHROMIUM,
  PATIENT,
  signInTo,
  useConsoles,
} from '../../../support/console/open-console.ts';
import { givenMember } from '../../../support/given/member.ts';

const consoles = useConsoles();
const PATH = '/settings';

describe.runIf(HAS_CHROMIUM)('the settings of a person in the console', () => {
  it('change the name, the time zone and the password', { timeout: PATIENT }, async ({ api }) => {
    const member = await givenMember(api, 'viewer');
    const page = await consoles.open(api, { as: null, path: PATH });
    await signInTo(page, member);
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Grace Hopper');
    await page.getByLabel('Time zone').fill('Mars/Base');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => page.getByLabel('Time zone').getAttribute('aria-invalid')).toBe('true');
    await expectGoodInAllForms(page, 'account refused');
    await page.getByLabel('Time zone').fill('Europe/Zurich');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Your profile is saved.').waitFor();
    const me = await api.as(member).get('/api/auth/me');
    expect(me.body).toMatchObject({ user: { name: 'Grace Hopper' }, timezone: 'Europe/Zurich', language: null });

    // A viewer sees no settings of others.
    expect(await page.getByRole('navigation', { name: 'Settings' }).count()).toBe(0);
    await page.getByLabel('Current password').fill('not the password');
    await page.getByLabel('New password').fill('a new and longer password');
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByRole('alert').getByText('WRONG_PASSWORD').waitFor();
    await page.getByLabel('Current password').fill(member.password);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('Your password has been changed. All your other sign-ins have ended.').waitFor();
    const credentials = { email: member.email, password: 'a new and longer password' };
    expect((await api.as('anonymous').post('/api/auth/login', credentials)).status).toBe(200);
    await expect.poll(async () => (await api.as(member).get('/api/auth/me')).status, { timeout: 60_000 }).toBe(401);
  });

  it('turn the second factor on and off, with codes shown once', { timeout: PATIENT }, async ({ api }) => {
    const member = await givenMember(api, 'editor');
    const page = await consoles.open(api, { as: null, path: PATH });
    await signInTo(page, member);
    await page.getByRole('button', { name: 'Turn on' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your password').fill('wrong');
    await page.keyboard.press('Enter');
    await dialog.getByText('WRONG_PASSWORD').waitFor();
    await dialog.getByLabel('Your password').fill(member.password);
    await page.keyboard.press('Enter');
    await dialog.getByRole('img', { name: 'The key of the second factor, for an authenticator app' }).waitFor();
    await expectGoodInAllForms(page, 'second factor');
    const secret = (await dialog.locator('code').textContent())!.replaceAll(' ', '');
    await dialog.getByLabel('Code').fill(new TOTP({ secret }).generate());
    await page.keyboard.press('Enter');
    await dialog.getByRole('heading', { name: 'The second factor is on' }).waitFor();
    await expectGoodInAllForms(page, 'recovery codes');
    const codes = await dialog.getByRole('listitem').allTextContents();
    await dialog.getByRole('button', { name: 'I have stored them' }).click();
    await page.getByText(`${codes.length} recovery codes left`).waitFor();
    const login = await api.as('anonymous').post('/api/auth/login', { email: member.email, password: member.password });
    expect(login.body).toMatchObject({ mfaRequired: true });

    await page.getByRole('button', { name: 'Turn off' }).click();
    await dialog.getByLabel('Your password').fill(member.password);
    await dialog.getByLabel('Code of the app').fill(codes[0]!);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Turn on' }).waitFor();
    expect((await api.as(member).get('/api/auth/me')).body.mfa.enabled).toBe(false);
  });

  it('list the sign-ins and end others', { timeout: PATIENT }, async ({ api }) => {
    const member = await givenMember(api, 'viewer');
    const page = await consoles.open(api, { as: null, path: PATH });
    await signInTo(page, member);
    const list = page.locator('section', { has: page.getByRole('heading', { name: 'Sign-ins' }) });
    await list.getByText('this one').waitFor();
    expect(await list.getByRole('listitem').first().textContent()).toContain('Chrome on Linux');
    await expectGoodInAllForms(page, 'account');
    await list.getByRole('button', { name: 'End all others' }).click();
    await expect.poll(() => list.getByRole('listitem').count()).toBe(1);
    expect((await api.as(member).get('/api/auth/me')).status).toBe(401);
    await page.reload();
    await list.getByText('this one').waitFor();
  });
});

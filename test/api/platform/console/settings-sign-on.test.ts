import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { expectGoodInAllForms, HAS_CHROMIUM, PATIENT, useConsoles } from '../../../support/console/open-console.ts';
import { newDomain, newSlug, publishProof } from '../../../support/given/identity-provider.ts';

const consoles = useConsoles();

describe.runIf(HAS_CHROMIUM)('the sign-on of a company in the console', () => {
  it('adds a provider that is off, proves its domain, and provisions', { timeout: PATIENT }, async ({ api }) => {
    const page = await consoles.open(api, { path: '/settings/sign-on' });
    const dialog = page.getByRole('dialog');
    await page.getByRole('link', { name: 'Add a provider' }).click();
    const slug = newSlug();
    const domain = newDomain();
    await page.getByLabel('Name', { exact: true }).fill('Company account');
    await page.getByLabel('Short name').fill(slug);
    await page.getByLabel('Issuer').fill('https://10.0.0.1');
    await page.getByLabel('Client ID').fill('platform');
    await page.getByLabel('Client secret').fill('very hidden');
    await expectGoodInAllForms(page, 'new provider');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('alert').getByText('ADDRESS_BLOCKED').waitFor();
    await page.getByLabel('Issuer').fill('https://login.example.com');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('heading', { name: 'Email domains' }).waitFor();
    const all = async () => (await api.as('owner').get('/api/identity-providers')).body.items;
    const provider = (await all()).find((each: { slug: string }) => each.slug === slug);
    expect(provider).toMatchObject({ enabled: false, oidc: { hasClientSecret: true, clientId: 'platform' } });
    expect(await page.content()).not.toContain('very hidden');

    await page.getByLabel('Domains').fill(domain);
    await page.getByRole('button', { name: 'Save' }).nth(1).click();
    await page.getByText('not verified').waitFor();
    await expectGoodInAllForms(page, 'provider');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByRole('alert').getByText('DOMAIN_NOT_PROVEN').waitFor();
    const path = `/api/identity-providers/${provider.id}`;
    await publishProof((await api.as('owner').get(path)).body, domain);
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.locator('.status.succeeded', { hasText: 'verified' }).waitFor();
    expect((await api.as('owner').get(path)).body.domains).toMatchObject([{ name: domain, verified: true }]);
    await page.getByRole('button', { name: 'Delete the provider' }).click();
    await dialog.getByLabel('Type “Company account” to confirm').fill('Company account');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Who must use it' }).waitFor();
    expect((await api.as('owner').get(path)).status).toBe(404);

    await page.getByRole('button', { name: 'New token' }).click();
    await dialog.getByLabel('Name').fill('Directory');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByRole('heading', { name: 'Your new SCIM token' }).waitFor();
    const token = (await dialog.locator('code').textContent())!;
    expect((await api.as({ token }).get('/api/scim/v2/ServiceProviderConfig')).status).toBe(200);
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await expectGoodInAllForms(page, 'sign-on');
    await page.getByRole('button', { name: 'Delete Directory' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete Directory' }).waitFor({ state: 'detached' });
  });
});

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

    // Groups and attributes follow what the provider says.
    const group = (await api.as('owner').post('/api/groups', { name: 'Sellers' })).body;
    await page.reload();
    const save = page.getByRole('button', { name: 'Save' });
    await page.getByLabel('People without an account get one').check();
    await page.getByLabel('Workspace', { exact: true }).selectOption(api.workspaceId);
    await page.getByLabel('Claim with the groups').fill('groups');
    await page.getByRole('button', { name: 'Add a group' }).click();
    const mapped = page.getByRole('group', { name: 'Group 1' });
    await mapped.getByLabel('Group at the provider').fill('crm-sales');
    await mapped.getByLabel('Joins the group').selectOption({ label: 'Sellers' });
    await mapped.getByLabel('Role of new people').selectOption('editor');
    await expectGoodInAllForms(page, 'mapped groups');
    await api.as('owner').patch(path, { name: 'Of another admin' });
    await save.nth(2).click();
    await page.getByText('Another person has changed this in the meantime.').waitFor();
    expect((await api.as('owner').get(path)).body.jit.groups).toEqual([]);
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await expect
      .poll(async () => (await api.as('owner').get(path)).body)
      .toMatchObject({
        name: 'Of another admin',
        jit: {
          enabled: true,
          workspaceId: api.workspaceId,
          groups: [{ providerGroup: 'crm-sales', groupId: group.id, role: 'editor' }],
        },
        oidc: { groupsClaim: 'groups' },
      });
    await page.getByRole('heading', { name: 'Of another admin' }).waitFor();
    for (const [index, claim] of [
      [1, 'region'],
      [2, 'area'],
    ] as const) {
      await page.getByRole('button', { name: 'Add an attribute' }).click();
      const attribute = page.getByRole('group', { name: `Attribute ${index}` });
      await attribute.getByLabel('Claim', { exact: true }).fill(claim);
      await attribute.getByLabel('Becomes the attribute').fill('region');
    }
    await save.nth(3).click();
    const second = page.getByRole('group', { name: 'Attribute 2' }).getByLabel('Becomes the attribute');
    await expect.poll(() => second.getAttribute('aria-invalid')).toBe('true');
    await page.getByText('is mapped twice').waitFor();
    await expectGoodInAllForms(page, 'mapped attributes');
    await second.fill('area');
    await save.nth(3).click();
    await expect
      .poll(async () => (await api.as('owner').get(path)).body.attributes)
      .toEqual([
        { claim: 'region', attribute: 'region' },
        { claim: 'area', attribute: 'area' },
      ]);

    await page.getByRole('button', { name: 'Delete the provider' }).click();
    await dialog.getByLabel('Type “Of another admin” to confirm').fill('Of another admin');
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

import { describe, expect } from 'vitest';
import { itWithOwnCompany as it } from '../../../support/api.ts';
import { expectGoodInAllForms, HAS_CHROMIUM, PATIENT, useConsoles } from '../../../support/console/open-console.ts';
import { licenceFile } from '../../../support/licences.ts';

const consoles = useConsoles();

describe.runIf(HAS_CHROMIUM)('the settings of a company in the console', () => {
  it('name it, list its workspaces and people, and keep its log', { timeout: PATIENT }, async ({ api }) => {
    await api.joinAll();
    const owner = api.as('owner');
    const company = async () => (await owner.get('/api/company')).body;
    const people = async () => (await owner.get('/api/company/members?companyRole=company_admin')).body;
    const editor = (await api.as('editor').get('/api/auth/me')).body.user;
    const page = await consoles.open(api, { path: '/settings/company' });
    const dialog = page.getByRole('dialog');
    const save = page.getByRole('button', { name: 'Save' });
    const name = page.getByLabel('Company name');
    await name.waitFor();
    await page.getByRole('table').getByText('this one').waitFor();
    await page.getByText('There is no licence file').waitFor();
    await page.getByLabel('Days to keep entries').waitFor();
    await expectGoodInAllForms(page, 'company');
    await owner.patch('/api/company', { name: 'Theirs' });
    await name.fill('Mine');
    await save.first().click();
    await page.getByText('Another person has changed this in the meantime.').waitFor();
    await page.locator('q', { hasText: 'Theirs' }).waitFor();
    expect((await company()).name).toBe('Theirs');
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByText('The company name is saved.').waitFor();
    expect((await company()).name).toBe('Mine');

    await page.getByRole('button', { name: `Make admin ${editor.name}` }).click();
    await expectGoodInAllForms(page, 'company admin');
    await dialog.getByRole('button', { name: 'Make admin' }).click();
    await page.getByRole('button', { name: `Make member ${editor.name}` }).waitFor();
    expect((await people()).total).toBe(2);
    await page.getByRole('button', { name: `Make member ${editor.name}` }).click();
    await dialog.getByRole('button', { name: 'Make member' }).click();
    await page.getByRole('button', { name: `Make admin ${editor.name}` }).waitFor();
    // A company needs an admin.
    const own = (await owner.get('/api/auth/me')).body.user.name;
    await page.getByRole('button', { name: `Make member ${own}` }).click();
    await dialog.getByRole('button', { name: 'Make member' }).click();
    await dialog.getByText('LAST_COMPANY_ADMIN').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect((await people()).total).toBe(1);

    await page.getByLabel('Licence file').fill('no licence');
    await page.getByRole('button', { name: 'Upload' }).click();
    await expect.poll(() => page.getByLabel('Licence file').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Licence file').fill(await licenceFile(api.companyId));
    await page.getByRole('button', { name: 'Upload' }).click();
    await page.getByText('The licence is in use.').waitFor();
    await page.getByRole('button', { name: 'Remove the licence' }).waitFor();
    await expectGoodInAllForms(page, 'company licensed');
    expect((await owner.get('/api/entitlements/licence')).body).toMatchObject({ tier: 'enterprise', status: 'active' });
    await page.getByRole('button', { name: 'Remove the licence' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('There is no licence file').waitFor();
    expect((await owner.get('/api/entitlements/licence')).status).toBe(404);
    const days = page.getByLabel('Days to keep entries');
    await days.fill('9999999');
    await save.last().click();
    await expect.poll(() => days.getAttribute('aria-invalid')).toBe('true');
    await days.fill('400');
    await save.last().click();
    await page.getByText('The audit log settings are saved.').waitFor();
    expect((await owner.get('/api/audit-log/settings')).body.retentionDays).toBe(400);

    const other = (await owner.post('/api/workspaces', { name: 'Other' })).body;
    await page.reload();
    await page.getByRole('button', { name: 'Delete Other' }).click();
    await dialog.getByLabel('Type “Other” to confirm').fill('Other');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Restore Other' }).click();
    await page.getByText('“Other” is restored.').waitFor();
    const all = (await owner.get('/api/company/workspaces')).body.items;
    expect(all.find(({ id }: { id: string }) => id === other.id)).toMatchObject({ deletesAt: null });
    await page.getByRole('button', { name: 'New workspace' }).click();
    await dialog.getByLabel('Name').fill('Third');
    await dialog.getByRole('button', { name: 'Create and open' }).click();
    await page.locator('.workspace', { hasText: 'Third' }).waitFor();
    expect((await owner.get('/api/company/workspaces?name=Third')).body.total).toBe(1);
  });

  it('delete it after its name was typed, and are for its admins alone', { timeout: PATIENT }, async ({ api }) => {
    const page = await consoles.open(api, { path: '/settings/company' });
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Delete the company' }).click();
    expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
    await dialog.getByLabel(/^Type “.*” to confirm$/).fill('owner');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The company is deleted.').waitFor();
    expect((await api.as('owner').get('/api/company')).body.deletesAt).toEqual(expect.any(String));
    await page.getByRole('button', { name: 'Restore it' }).click();
    await page.getByRole('button', { name: 'Delete the company' }).waitFor();
    expect((await api.as('owner').get('/api/company')).body.deletesAt).toBeNull();
    const member = await consoles.open(api, { as: 'editor', path: '/settings/company' });
    await member.getByRole('heading', { name: 'You cannot open these settings' }).waitFor();
  });
});

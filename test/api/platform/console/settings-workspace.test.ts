import { readFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { expectGoodInAllForms, HAS_CHROMIUM, PATIENT, useConsoles } from '../../../support/console/open-console.ts';

const consoles = useConsoles();

describe.runIf(HAS_CHROMIUM)('the settings of a workspace in the console', () => {
  it('make API keys that are shown once, rotated and revoked', { timeout: PATIENT }, async ({ api }) => {
    const page = await consoles.open(api, { path: '/settings/keys' });
    const dialog = page.getByRole('dialog');
    await page.getByRole('heading', { name: 'There is no API key yet' }).waitFor();
    await expectGoodInAllForms(page, 'keys empty');

    await page.getByRole('button', { name: 'New service account' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('Exporter');
    await dialog.getByLabel('Role').selectOption('editor');
    await expectGoodInAllForms(page, 'service account');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: 'Exporter', exact: true }).waitFor();

    await page.getByRole('button', { name: 'New key' }).click();
    await dialog.getByLabel('Name').fill('Nightly');
    await dialog.getByLabel('May').selectOption('read/write');
    await dialog.getByLabel('Acts for').selectOption({ label: 'Exporter' });
    await expectGoodInAllForms(page, 'new key');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByRole('heading', { name: 'Your new API key' }).waitFor();
    const key = (await dialog.locator('code').textContent())!;
    expect((await api.as({ token: key }).get('/api/workspaces/current')).status).toBe(200);
    await expectGoodInAllForms(page, 'key shown once');
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    expect(await page.locator('body').textContent()).not.toContain(key);

    await page.getByRole('link', { name: 'Nightly' }).click();
    await page.getByRole('heading', { name: 'Nightly' }).waitFor();
    await expectGoodInAllForms(page, 'key');
    await page.getByRole('button', { name: 'Rotate' }).click();
    await dialog.getByLabel('The current value works for').selectOption('0');
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    await dialog.getByRole('heading', { name: 'The new value' }).waitFor();
    const next = (await dialog.locator('code').textContent())!;
    expect(next).not.toBe(key);
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    expect((await api.as({ token: next }).get('/api/workspaces/current')).status).toBe(200);
    const { body } = await api.as('owner').get('/api/api-keys');
    expect(body.items).toMatchObject([{ name: 'Nightly', scope: 'read/write', serviceAccountId: expect.any(String) }]);

    await page.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('heading', { name: 'There is no API key yet' }).waitFor();
    expect((await api.as('owner').get('/api/api-keys')).body.total).toBe(0);
  });

  it('are saved unless another admin was faster, and export everything', { timeout: PATIENT }, async ({ api }) => {
    const editor = (await api.as('editor').get('/api/auth/me')).body.user;
    const page = await consoles.open(api, { path: '/settings/workspace' });
    const name = page.getByLabel('Name', { exact: true });
    await name.waitFor();
    await expectGoodInAllForms(page, 'workspace');
    await api.as('owner').patch('/api/workspaces/current', { name: 'Theirs', viewersMayQuery: true });
    await name.fill('Mine');
    await page.getByLabel('Domains').fill('example.com\nnot a domain');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => page.getByLabel('Domains').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Domains').fill('example.com\n partner.example');
    const person = page.getByRole('combobox', { name: 'Add a person', exact: true });
    await person.fill(editor.email);
    await page.getByRole('option', { name: editor.email }).click();
    await page.getByRole('button', { name: `Remove ${editor.name}` }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Another person has changed this in the meantime.').waitFor();
    await expectGoodInAllForms(page, 'workspace changed');
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByText('The workspace is saved.').waitFor();
    expect((await api.as('owner').get('/api/workspaces/current')).body).toMatchObject({
      name: 'Mine',
      deliveryDomains: ['example.com', 'partner.example'],
      failureRecipients: [editor.id],
    });

    await page.getByRole('button', { name: 'Export the workspace' }).click();
    await page.getByRole('button', { name: 'Download' }).waitFor();
    await expectGoodInAllForms(page, 'workspace exported');
    // A download asks nothing about what is not saved, and loses none of it.
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await name.fill('Not saved yet');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect((await readFile(await download.path())).subarray(0, 2).toString()).toBe('PK');
    expect(asked).toEqual([]);
    expect(await name.inputValue()).toBe('Not saved yet');
  });

  it('keep secrets that nobody reads, a log of changes, and budgets', { timeout: PATIENT }, async ({ api }) => {
    const page = await consoles.open(api, { path: '/settings/secrets' });
    const dialog = page.getByRole('dialog');
    await page.getByRole('heading', { name: 'There is no secret yet' }).waitFor();
    await page.getByRole('button', { name: 'New secret' }).click();
    await dialog.getByLabel('Name').fill('API_TOKEN');
    await dialog.getByLabel('Value').fill('very hidden');
    await expectGoodInAllForms(page, 'new secret');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Replace API_TOKEN' }).waitFor();
    await expectGoodInAllForms(page, 'secrets');
    expect(await page.content()).not.toContain('very hidden');
    expect((await api.as('owner').get('/api/secrets/API_TOKEN')).body).toMatchObject({ revision: 1 });

    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('cell', { name: 'Secret created' }).first().waitFor();
    await expectGoodInAllForms(page, 'audit log');
    await page
      .getByRole('row', { name: /Secret created/ })
      .getByRole('button')
      .first()
      .click();
    await dialog.getByRole('heading', { name: 'Secret created' }).waitFor();
    expect(await dialog.textContent()).not.toContain('very hidden');
    await expectGoodInAllForms(page, 'audit entry');
    await dialog.getByRole('button', { name: 'All of this kind' }).click();
    await expect.poll(() => page.url()).toContain('action=secret.created');

    await page.getByRole('link', { name: 'Usage and budgets' }).click();
    await page.getByLabel('Storage of datasets, GB').fill('12.5');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The budgets are saved.').waitFor();
    await expectGoodInAllForms(page, 'usage');
    expect((await api.as('owner').get('/api/usage/budgets')).body).toMatchObject({
      warehouse: { storage_gb: 12.5 },
      pipelines: { execution_hours: null },
    });
  });
});

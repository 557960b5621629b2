import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { expectGoodInAllForms, HAS_CHROMIUM, PATIENT, useConsoles } from '../../../support/console/open-console.ts';
import { givenMember } from '../../../support/given/member.ts';

const consoles = useConsoles();

describe.runIf(HAS_CHROMIUM)('the members in the console', () => {
  it('are invited together, each refusal with its reason', { timeout: PATIENT }, async ({ api }) => {
    const { email: known } = await givenMember(api, 'viewer');
    await api.as('owner').post('/api/groups', { name: 'Sales' });
    const page = await consoles.open(api, { path: '/settings/members' });
    await page.getByRole('button', { name: 'Invite people' }).click();
    const dialog = page.getByRole('dialog');
    const ada = `ada-${crypto.randomUUID()}@example.com`;
    await dialog.getByLabel('Email addresses').fill(`Ada Lovelace <${ada}>, ${known}\nnot an address`);
    await dialog.getByLabel('Role').selectOption('editor');
    await dialog.getByLabel('Sales').check();
    await expectGoodInAllForms(page, 'invite');
    await dialog.getByRole('button', { name: 'Invite 3 people' }).click();
    await dialog.getByRole('alert').getByText('2 people could not be invited.').waitFor();
    await expectGoodInAllForms(page, 'invite refused');
    expect(await dialog.getByLabel('Email addresses').inputValue()).toBe(`${known}\nnot an address`);
    const { items } = (await api.as('owner').get('/api/workspaces/invitations')).body;
    const group = (await api.as('owner').get('/api/groups')).body.items[0];
    expect(items).toMatchObject([{ email: ada, role: 'editor', groupIds: [group.id] }]);
    await page.keyboard.press('Escape');

    await page.getByRole('region', { name: 'Invitations' }).getByText(ada).waitFor();
    await page.getByRole('button', { name: `Delete the invitation of ${ada}` }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('region', { name: 'Invitations' }).waitFor({ state: 'detached' });
    expect((await api.as('owner').get('/api/workspaces/invitations')).body.total).toBe(0);
  });

  it('are found, change roles and attributes, and leave', { timeout: PATIENT }, async ({ api }) => {
    const { userId, email } = await givenMember(api, 'viewer');
    const page = await consoles.open(api, { path: '/settings/members' });
    await page.getByRole('searchbox').fill(email);
    await page.getByText('1 person', { exact: true }).waitFor();
    await expectGoodInAllForms(page, 'members');
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByRole('button', { name: 'Settings: Members' }).click();
    await page.getByRole('menuitemradio', { name: 'Groups' }).click();
    await page.getByRole('heading', { name: 'There is no group yet' }).waitFor();
    await page.getByRole('button', { name: 'Settings: Groups' }).waitFor();
    await page.goBack();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('link', { name: 'New', exact: true }).click();
    await page.getByRole('heading', { name: 'Attributes' }).waitFor();
    const role = page.getByLabel('Role');
    // Another admin is faster: nothing is overwritten.
    const path = `/api/workspaces/members/${userId}`;
    await api.as('owner').patch(path, { role: 'admin' });
    await role.selectOption('editor');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('The role is now “admin”.').waitFor();
    expect((await api.as('owner').get(path)).body.role).toBe('admin');
    await expectGoodInAllForms(page, 'member changed');
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByText('New is now an editor.').waitFor();
    expect((await api.as('owner').get(path)).body.role).toBe('editor');

    await page.getByRole('button', { name: 'Add an attribute' }).click();
    const attribute = page.getByRole('group', { name: 'Attribute 1' });
    await attribute.getByLabel('Name').fill('region');
    await attribute.getByLabel('Values').fill('north\nsouth');
    await page.getByRole('button', { name: 'Save' }).last().click();
    await page.getByText('The attributes are saved.').waitFor();
    expect((await api.as('owner').get(`${path}/attributes`)).body.attributes).toEqual({ region: ['north', 'south'] });
    await expectGoodInAllForms(page, 'member');

    await page.getByRole('button', { name: 'Remove from the workspace' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('heading', { name: 'Members' }).waitFor();
    expect((await api.as('owner').get(path)).status).toBe(404);
    await page.goto(`${api.endpoint}/api/console/settings/members/${userId}`);
    await page.getByText('MEMBER_NOT_FOUND').waitFor();
  });

  it('are grouped, and editors see nothing of it', { timeout: PATIENT }, async ({ api }) => {
    const { userId } = await givenMember(api, 'editor');
    const page = await consoles.open(api, { path: '/settings/groups' });
    await page.getByRole('heading', { name: 'There is no group yet' }).waitFor();
    await expectGoodInAllForms(page, 'groups empty');
    await page.getByRole('button', { name: 'New group' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Sales');
    await page.keyboard.press('Enter');
    await page.getByText('The group has no members yet.').waitFor();
    await page.getByRole('combobox', { name: 'Add a member' }).fill('New');
    await page.getByRole('option', { name: /^New/ }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove New' }).waitFor();
    await expectGoodInAllForms(page, 'group');
    const { items } = (await api.as('owner').get('/api/groups')).body;
    expect((await api.as('owner').get(`/api/groups/${items[0].id}/members`)).body.items).toMatchObject([{ userId }]);
    await page.getByRole('button', { name: 'Remove New' }).click();
    await page.getByText('The group has no members yet.').waitFor();
    await page.getByLabel('Description').fill('who sells');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The group is saved.').waitFor();
    await page.getByRole('button', { name: 'Delete the group' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'There is no group yet' }).waitFor();
    expect((await api.as('owner').get('/api/groups')).body.total).toBe(0);

    const editor = await consoles.open(api, { as: 'editor', path: '/settings/members' });
    await editor.getByRole('heading', { name: 'You cannot open these settings' }).waitFor();
    await expectGoodInAllForms(editor, 'settings not allowed');
  });
});

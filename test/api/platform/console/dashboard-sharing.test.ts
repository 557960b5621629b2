import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { Clicks, HANDS } from '../../../support/console/clicks.ts';
import { expectGoodInAllForms, HAS_CHROMIUM, PATIENT, useConsoles } from '../../../support/console/open-console.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDashboard, textCard } from '../../../support/given/dashboard.ts';
import { posted } from '../../../support/given/model.ts';
import { givenProtected, SECRET_ROW } from '../../../support/given/protected.ts';
import { publish, readerOf } from '../../../support/given/shares.ts';
import { givenReceiver } from '../../../support/given/targets.ts';

const consoles = useConsoles();

/** A published dashboard whose table has a policy: each reader sees the rows of their region. */
async function givenOwnRows(api: Api) {
  const { model, field } = await givenProtected(api);
  const query = {
    source: { kind: 'model', id: model.id },
    dimensions: [
      { fieldId: field.region, label: 'Region' },
      { fieldId: field.name, label: 'Name' },
    ],
  };
  const made = await givenCards(api, [card('people', chart(query), { title: 'People' })]);
  await publish(api, made.path);
  return made;
}

const clipboard = (page: Page) => page.evaluate('navigator.clipboard.readText()') as Promise<string>;
const mayCopy = (page: Page) => page.context().grantPermissions(['clipboard-read', 'clipboard-write']);

describe.runIf(HAS_CHROMIUM)('sharing a dashboard in the console', () => {
  for (const hand of HANDS) {
    it(`opens it to an audience with its own rows in five actions, by ${hand}`, { timeout: PATIENT }, async ({
      api,
    }) => {
      const { id } = await givenOwnRows(api);
      const page = await consoles.open(api, { path: `/dashboards/${id}`, before: mayCopy });
      const clicks = new Clicks(page, hand);
      await clicks.press(page.getByRole('link', { name: 'Share', exact: true }));
      await clicks.press(page.getByRole('radio', { name: 'An audience that sees its own rows' }));
      await clicks.type(page.getByRole('textbox', { name: 'Attribute 1', exact: true }), 'region');
      await clicks.type(page.getByRole('textbox', { name: 'Values of attribute 1' }), 'eu');
      // What such a reader sees, before the link exists.
      const rows = page.getByRole('region', { name: 'What a reader sees' }).locator('#card-people tbody tr');
      await expect.poll(() => rows.allTextContents()).toEqual(['euAnn', 'euBob', 'euCid']);
      if (hand === 'mouse') await expectGoodInAllForms(page, 'share audience');
      await clicks.press(page.getByRole('button', { name: 'Create and copy the link' }));
      await page.getByText('The link is copied.').waitFor();
      clicks.expectAtMost(5);
      const url = await clipboard(page);
      const token = url.split('/').at(-1)!;
      expect(await readerOf(api, token).rows('people')).toEqual([
        ['eu', 'Ann'],
        ['eu', 'Bob'],
        ['eu', 'Cid'],
      ]);
      const { body: links } = await api.as('owner').get(`/api/shares?contentId=${id}`);
      expect(links.items).toMatchObject([{ shareType: 'rls', rlsContext: { attributes: { region: 'eu' } } }]);
      await page.getByRole('row', { name: /region: eu/ }).waitFor();
    });
  }

  it('says why a link cannot be open to anyone, makes and deletes links with passwords', { timeout: PATIENT }, async ({
    api,
  }) => {
    const { id } = await givenOwnRows(api);
    const page = await consoles.open(api, { path: `/dashboards/${id}/share`, before: mayCopy });
    await page.getByText('There are no links yet.').waitFor();
    await page.getByRole('button', { name: 'Create and copy the link' }).click();
    await page.getByRole('alert').filter({ hasText: 'RLS_SHARE_REQUIRED' }).waitFor();
    expect(await page.locator('body').textContent()).not.toContain(SECRET_ROW);
    await expectGoodInAllForms(page, 'share refused');

    const open = await givenDashboard(api, { name: 'Open' });
    await posted(api, `${open.path}/cards`, textCard('a'));
    await page.goto(`${api.endpoint}/api/console/dashboards/${open.id}/share`);
    await page.getByText('Links open what is published, and this is a draft.').waitFor();
    await expectGoodInAllForms(page, 'share draft');
    await publish(api, open.path);
    await page.reload();
    await page.getByRole('region', { name: 'What a reader sees' }).getByText('The text of a').waitFor();
    await page.getByRole('radio', { name: 'Anyone with the link and a password' }).check();
    await page.getByLabel('Password', { exact: true }).fill('a long password');
    await page.getByLabel('Expires').selectOption('7');
    await page.getByRole('button', { name: 'Create and copy the link' }).click();
    const shown = page.getByLabel('The link is shown only now');
    await shown.waitFor();
    await page.evaluate("navigator.clipboard.writeText('')");
    await page.getByRole('button', { name: 'Copy the link', exact: true }).click();
    await expect.poll(() => clipboard(page)).toBe(await shown.inputValue());
    const { body: links } = await api.as('owner').get(`/api/shares?contentId=${open.id}`);
    expect(links.items).toMatchObject([{ shareType: 'password', hasPassword: true, allowExport: false }]);
    expect(Date.parse(links.items[0].expiresAt) - Date.now()).toBeGreaterThan(6 * 86_400_000);
    await expectGoodInAllForms(page, 'share links');
    await page.getByRole('button', { name: /^Delete the link/ }).click();
    await page.getByText('There are no links yet.').waitFor();
    expect((await api.as('owner').get(`/api/shares?contentId=${open.id}`)).body.total).toBe(0);
  });

  it('grants people and groups, allows sites, and leaves links to admins', { timeout: PATIENT }, async ({ api }) => {
    const { id, path } = await givenDashboard(api, { name: 'People' });
    await posted(api, `${path}/cards`, textCard('a'));
    const { body: group } = await api.as('owner').post('/api/groups', { name: 'The board' });
    expect(group).toMatchObject({ name: 'The board' });
    const page = await consoles.open(api, { as: 'editor', path: `/dashboards/${id}/share` });
    await page.getByRole('heading', { name: 'Links are created by admins' }).waitFor();
    await page.getByRole('tab', { name: 'People' }).click();
    await page.getByRole('heading', { name: 'No one has been given access yet' }).waitFor();
    await expectGoodInAllForms(page, 'people none');
    const field = page.locator('.combobox input');
    await field.fill('board');
    // Enter takes what is marked, which is a moment after the list appears.
    await page.getByRole('option', { name: /The board/, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('row', { name: /The board/ }).waitFor();
    const { email } = await api.password('viewer');
    await field.fill(email);
    await page.getByRole('option', { selected: true }).filter({ hasText: email }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByLabel('Access', { exact: true }).selectOption('editor');
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(2);
    const access = async () => (await api.as('owner').get(`${path}/access`)).body.items;
    expect(await access()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ groupId: group.id, permission: 'viewer' }),
        expect.objectContaining({ email, permission: 'editor' }),
      ]),
    );
    await expectGoodInAllForms(page, 'people');
    await page.getByLabel('Access of The board').selectOption('editor');
    await expect
      .poll(async () => (await access()).find((each: { groupId: string }) => each.groupId === group.id).permission)
      .toBe('editor');
    await page.getByRole('button', { name: 'Remove The board' }).click();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);

    const admin = await consoles.open(api, { path: `/dashboards/${id}/share?tab=embed` });
    await admin.getByText('No site may show views of this workspace yet.').waitFor();
    await admin.getByLabel('Origin of the site').fill('https://*.co.uk');
    await admin.getByRole('button', { name: 'Allow' }).click();
    const origin = admin.getByLabel('Origin of the site');
    await expect.poll(() => origin.getAttribute('aria-invalid')).toBe('true');
    await origin.fill('https://app.example.com');
    await admin.getByRole('button', { name: 'Allow' }).click();
    await admin.getByText('https://app.example.com', { exact: true }).waitFor();
    expect((await api.as('owner').get('/api/embed/domains')).body.items).toMatchObject([
      { origin: 'https://app.example.com' },
    ]);
    await expectGoodInAllForms(admin, 'embed');
  });

  it('sends it on a schedule, at once, and says what each recipient got', { timeout: PATIENT }, async ({ api }) => {
    const { id, path } = await givenDashboard(api, { name: 'Sent' });
    await posted(api, `${path}/cards`, textCard('a'));
    await publish(api, path);
    const page = await consoles.open(api, { as: 'editor', path: `/dashboards/${id}/subscriptions` });
    await page.getByRole('heading', { name: 'There are no subscriptions yet' }).waitFor();
    await expectGoodInAllForms(page, 'subscriptions none');
    await page.getByRole('button', { name: 'New subscription' }).click();
    await page.getByLabel('Name').fill('Monday morning');
    const { email } = await api.password('editor');
    const people = page.getByLabel('Recipients');
    await expect.poll(() => people.inputValue()).toBe(email);
    await people.fill(`${email}\nstranger@nowhere.example`);
    await page.getByLabel('How often').selectOption('weekdays');
    await page.getByLabel('Time', { exact: true }).fill('07:30');
    await page.getByLabel('Time zone').selectOption('Europe/Berlin');
    await page.getByLabel('Send it').selectOption('changed');
    await page.getByRole('button', { name: 'Save' }).click();
    // The domain of the stranger is not allowed.
    await page
      .getByText(/nowhere\.example|deliveryDomains|domain/i)
      .first()
      .waitFor();
    await expectGoodInAllForms(page, 'subscription form');
    await people.fill(email);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('weekdays 07:30 Berlin').waitFor();
    const schedules = async () => (await api.as('owner').get(`${path}/schedules`)).body.items;
    expect(await schedules()).toMatchObject([
      { cron: '30 7 * * 1-5', timezone: 'Europe/Berlin', recipients: [email], condition: 'changed', format: 'pdf' },
    ]);
    await page.getByRole('button', { name: 'Actions of Monday morning' }).click();
    await page.getByRole('menuitem', { name: 'Send now' }).click();
    await page.getByText(`${email}: sent`).waitFor({ timeout: PATIENT / 3 });
    await expectGoodInAllForms(page, 'subscription runs');
    await page.getByRole('button', { name: 'Actions of Monday morning' }).click();
    await page.getByRole('menuitem', { name: 'Pause' }).click();
    await page.getByText('paused').waitFor();
    expect((await schedules())[0].isActive).toBe(false);

    // Two people edit it: nothing is overwritten.
    await page.getByRole('button', { name: 'Monday morning', exact: true }).click();
    const [{ id: scheduleId }] = await schedules();
    await api.as('owner').put(`${path}/schedules/${scheduleId}`, { name: 'Hers' });
    await page.getByLabel('Name').fill('Mine');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Another person has changed this subscription in the meantime').waitFor();
    expect((await schedules())[0].name).toBe('Hers');
    await page.getByRole('button', { name: 'Cancel' }).click();
    // A channel is added, and stays when something else is changed.
    const receiver = await givenReceiver(api);
    await page.getByRole('button', { name: 'Hers', exact: true }).click();
    await page.getByRole('button', { name: 'Add a channel' }).click();
    await page.getByLabel('Address of channel 1').fill(receiver.url);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await schedules())[0].targets).toMatchObject([{ type: 'slack' }]);
    const [{ targets }] = await schedules();
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Hers', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('Theirs');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Actions of Theirs' }).click();
    expect((await schedules())[0]).toMatchObject({ name: 'Theirs', targets });
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'There are no subscriptions yet' }).waitFor();
    expect(await schedules()).toEqual([]);
  });
});

import { describe, expect } from 'vitest';
import { DASHBOARDS } from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenDashboard, textCard } from '../../../support/given/dashboard.ts';
import { mailsTo, mailTo, type SentMail } from '../../../support/given/mails.ts';
import {
  expectDeleted,
  expectHidden,
  expectLimited,
  expectNameTaken,
  leaveByLink,
} from '../../../support/given/managed-schedules.ts';
import { posted } from '../../../support/given/model.ts';
import { givenProtected, givenReader, SECRET_COLUMN, SECRET_ROW } from '../../../support/given/protected.ts';
import { givenProvisioner, patchOf, SCIM } from '../../../support/given/provisioner.ts';
import { chart, givenOpen, published } from '../../../support/given/published.ts';
import {
  allowDomains,
  atInstant,
  dayBefore,
  finishedRun,
  givenSchedule,
  unsubscribeLink,
} from '../../../support/given/schedules.ts';
import { unzipped } from '../../../support/unzip.ts';

const UNKNOWN = '00000000-0000-7000-8000-000000000000';
const OUTSIDE = 'partner.example.org';

const due = (api: Api, deliveryId: string, scheduledAt: string) => atInstant(api, 'dashboard', deliveryId, scheduledAt);

/** What the attached archive contains. */
async function filesIn({ attachments = [] }: SentMail): Promise<string> {
  const archives = await Promise.all(attachments.map(({ content }) => unzipped(Buffer.from(content, 'base64'))));
  return archives.flatMap((files) => [...files.values()].map(String)).join();
}
const everything = async (mail: SentMail): Promise<string> =>
  [mail.subject, mail.text, mail.html, await filesIn(mail)].join();

describe('a delivery schedule of a dashboard', () => {
  it('sends each member the rows and columns that they may see, until they unsubscribe', async ({ api }) => {
    const { dataset, model, field } = await givenProtected(api);
    const people = { kind: 'dataset', id: dataset.id };
    const { path } = await published(api, [
      {
        ...{ id: 'names', title: 'Names' },
        chartSpec: chart({
          source: { kind: 'model', id: model.id },
          dimensions: [{ fieldId: field.id, label: 'id' }, { fieldId: field.name }],
        }),
      },
      { id: 'salaries', title: 'Salaries', chartSpec: chart({ source: people, dimensions: [{ column: 'salary' }] }) },
    ]);
    const [eu, us, none] = await Promise.all([
      givenReader(api, { role: 'viewer', attributes: { region: ['eu'] } }),
      givenReader(api, { role: 'viewer', attributes: { region: ['us'], sensitivityLabels: ['private'] } }),
      givenReader(api, { role: 'viewer' }),
    ]);
    await allowDomains(api, [OUTSIDE]);
    const schedule = { name: 'Daily', cronExpression: '@daily' };
    const outside = await api.as('editor').post(`${path}/schedules`, { ...schedule, recipients: [`a@${OUTSIDE}`] });
    expect(outside).toMatchObject({
      status: 400,
      body: {
        errors: [
          { pointer: '/recipients/0', code: 'ROW_RIGHTS', message: expect.stringContaining('"Names" reads people') },
          { pointer: '/recipients/0', code: 'ROW_RIGHTS', message: expect.stringContaining('"Salaries" reads people') },
        ],
      },
    });

    const { path: place } = await givenSchedule(api, path, {
      ...{ format: 'csv', recipients: [eu.email.toUpperCase(), us.email, none.email], condition: 'hasRows' },
    });
    const sent = await api.as('editor').post(`${place}/run`);
    expect(sent).toMatchObject({ status: 202, body: { status: 'queued', scheduledFor: null, recipientCount: 3 } });
    const { perRecipient } = await finishedRun(api, place);
    expect(perRecipient).toHaveLength(3);
    for (const each of perRecipient) expect(each).toMatchObject({ status: 'sent', cardCount: 2, error: null });
    const [toEu, toUs, toNone] = [
      await mailTo(api, eu.email),
      await mailTo(api, us.email),
      await mailTo(api, none.email),
    ];
    expect(await everything(toEu)).toContain('Ann');
    expect(await everything(toEu)).not.toContain(SECRET_ROW);
    expect(await everything(toEu)).not.toContain(SECRET_COLUMN);
    for (const text of [toUs.text, toUs.html, await filesIn(toUs)]) expect(text).toContain(SECRET_ROW);
    expect(await everything(toUs)).not.toContain('Ann');
    for (const hidden of ['Ann', SECRET_ROW, SECRET_COLUMN]) expect(await everything(toNone)).not.toContain(hidden);

    await api.as('owner').patch('/api/workspaces/current', { viewersMayExport: false });
    await api.as('editor').post(`${place}/run`);
    const withoutFile = await mailTo(api, eu.email, 2);
    expect(withoutFile.attachments).toBeUndefined();
    expect(withoutFile.text).toContain('No file is attached: Exports are turned off for viewers of the workspace.');
    expect((await finishedRun(api, place)).perRecipient).toContainEqual(
      expect.objectContaining({
        recipient: eu.email,
        bytes: 0,
        error: expect.objectContaining({ code: 'EXPORT_TURNED_OFF' }),
      }),
    );

    const link = unsubscribeLink(toEu);
    expect(toEu.headers).toEqual({
      'List-Unsubscribe': `<${link.href}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
    await leaveByLink(api, toEu, { noun: 'dashboard', userId: eu.userId, otherId: us.userId });
    const { items } = (await api.as('editor').get(`${path}/schedules`)).body;
    expect(items[0].recipients).toEqual([us.email, none.email]);
    const again = { recipients: [us.email, eu.email] };
    expect(await api.as('editor').put(place, again)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/recipients/1', code: 'UNSUBSCRIBED' }] },
    });
    await api.as('owner').put(`${path}/access/user/${eu.userId}`, { permission: 'editor' });
    expect(await eu.caller.put(place, again)).toMatchObject({ status: 200, body: { recipients: again.recipients } });
  });

  it('is sent once for each instant, if its condition holds', async ({ api }) => {
    const { path, load } = await givenOpen(api);
    const [reader, owner] = [await givenReader(api), await givenReader(api)];
    const partner = `ada-${crypto.randomUUID()}@${OUTSIDE}`;
    await allowDomains(api, [OUTSIDE]);
    const { id, path: place } = await givenSchedule(api, path, {
      ...{ format: 'xlsx', condition: 'changed', ownerId: owner.userId, recipients: [reader.email, partner] },
    });
    await due(api, id, dayBefore(4));
    await Promise.all([
      due(api, id, dayBefore(4)),
      due(api, id, dayBefore(4)),
      due(api, id, dayBefore(4).replace('T08', 'T09')),
    ]);
    const first = await finishedRun(api, place);
    expect(first).toMatchObject({ status: 'sent', scheduledFor: dayBefore(4), startedBy: null, recipientCount: 2 });
    expect(first.perRecipient).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ recipient: reader.email, userId: reader.userId, status: 'sent', failedCardCount: 0 }),
        expect.objectContaining({ recipient: partner, userId: null, status: 'sent' }),
      ]),
    );
    const mail = await mailTo(api, reader.email);
    expect(mail.text).toMatch(/Revenue: 1,300\n/);
    expect(mail.text).toMatch(/By region:\n {2}region: eu · Total: 300\n/);
    expect(mail.html).toContain('Refunds are &lt;not&gt; included.');
    expect(mail.attachments).toMatchObject([{ fileName: expect.stringMatching(/\.xlsx$/), bytes: expect.any(Number) }]);
    const toPartner = await mailTo(api, partner);
    expect(toPartner.text).not.toContain('Open the dashboard');
    expect((await api.as('editor').get(`${place}/runs?limit=1`)).body.items).toHaveLength(1);

    await due(api, id, dayBefore(3));
    const unchanged = await finishedRun(api, place);
    expect(unchanged.scheduledFor).toBe(dayBefore(3));
    for (const each of unchanged.perRecipient) expect(each).toMatchObject({ status: 'skipped', reason: 'UNCHANGED' });

    await load(400);
    await allowDomains(api, []);
    await due(api, id, dayBefore(2));
    const changed = await finishedRun(api, place);
    expect(changed.perRecipient).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ recipient: reader.email, status: 'sent' }),
        expect.objectContaining({ recipient: partner, status: 'skipped', reason: 'DOMAIN_NOT_ALLOWED' }),
      ]),
    );
    expect((await mailTo(api, reader.email, 2)).text).toContain('Revenue: 1,400');

    const noRows = [{ fieldId: 'region', op: 'eq', values: ['nowhere'] }];
    const { body } = await api
      .as('editor')
      .put(place, { condition: 'hasRows', filters: noRows, format: null, recipients: [reader.email] });
    expect(body).toMatchObject({ condition: 'hasRows', format: null, recipients: [reader.email], revision: 2 });
    const { id: regionsOnly, path: second } = await givenSchedule(api, path, {
      ...{ condition: 'hasRows', filters: noRows, recipients: [reader.email] },
    });
    await api.as('editor').delete(`${path}/cards/total`);
    await api.as('owner').post(`${path}/publish`, { override: true, overrideReason: 'Without the total' });
    await due(api, regionsOnly, dayBefore(1));
    expect((await finishedRun(api, second)).perRecipient).toMatchObject([{ status: 'skipped', reason: 'NO_ROWS' }]);

    const filter = await posted(api, `${path}/filters`, { fieldId: 'region', filterType: 'select' });
    const viewer = await givenReader(api, { role: 'viewer' });
    const drafted = { filters: [{ filterId: filter.id, op: 'eq', values: ['eu'] }] };
    const { id: draftId, path: draft } = await givenSchedule(api, path, { ...drafted, recipients: [viewer.email] });
    await due(api, draftId, dayBefore(1));
    expect((await finishedRun(api, draft)).perRecipient).toMatchObject([
      { status: 'skipped', reason: 'FILTER_NOT_PUBLISHED' },
    ]);

    const { caller: provider } = await givenProvisioner(api);
    await provider.patch(`${SCIM}/Users/${owner.userId}`, patchOf({ op: 'replace', path: 'active', value: false }));
    const schedules = (await api.as('editor').get(`${path}/schedules`)).body.items;
    expect(schedules.find((each: { id: string }) => each.id === id)).toMatchObject({
      ...{ status: 'stopped', stopReason: 'OWNER_INACTIVE' },
    });
    await api.as('owner').delete(`/api/workspaces/members/${owner.userId}`);
    await due(api, id, dayBefore(1));
    expect(await finishedRun(api, place)).toMatchObject({ status: 'skipped', reason: 'OWNER_LEFT', perRecipient: [] });
    await api.as('editor').delete(path);
    await due(api, regionsOnly, dayBefore(0));
    await api.as('owner').post(`${path}/restore`, {});
    expect(await finishedRun(api, second)).toMatchObject({ status: 'skipped', reason: 'DASHBOARD_DELETED' });
    expect(await mailsTo(api, reader.email)).toHaveLength(2);
  });

  it('has the default values of filters, as the page has, and names the filters, the time and its zone', async ({
    api,
  }) => {
    const { path } = await givenOpen(api);
    const given = { fieldId: 'region', filterType: 'multi_select', label: 'Region', defaultValue: '["eu"]' };
    const filter = await posted(api, `${path}/filters`, given);
    expect((await api.as('editor').post(`${path}/publish`, {})).status).toBe(200);
    const reader = await givenReader(api);
    const schedule = { recipients: [reader.email], format: 'csv', timezone: 'Asia/Tokyo' };
    const { path: place, id } = await givenSchedule(api, path, schedule);
    await api.as('editor').post(`${place}/run`);
    expect(await finishedRun(api, place)).toMatchObject({ status: 'sent', finishedAt: expect.any(String) });
    const mail = await mailTo(api, reader.email);
    expect(mail.text).toContain('Filters: Region: eu');
    expect(mail.text).toMatch(/Data as of \d+ \w+ \d{4} at \d\d:\d\d \(Asia\/Tokyo\)/);
    expect(mail.text).toContain('Revenue: 300');
    expect(await everything(mail)).not.toMatch(/1,?000/);
    expect((await api.as('editor').get(`${path}/schedules`)).body.items).toMatchObject([
      { id, lastRun: { status: 'sent', finishedAt: expect.any(String) } },
    ]);

    const us = { filters: [{ filterId: filter.id, op: 'in', values: ['us'] }] };
    expect((await api.as('editor').put(place, us)).status).toBe(200);
    await api.as('editor').post(`${place}/run`);
    await finishedRun(api, place);
    const second = await mailTo(api, reader.email, 2);
    expect(second.text).toContain('Filters: Region: us');
    expect(second.text).toContain('Revenue: 1');
  });

  it('records the recipients whom the mail service refuses, and reaches the others', async ({ api }) => {
    const { path } = await givenOpen(api);
    const reader = await givenReader(api);
    await allowDomains(api, ['unverified.example']);
    const refused = 'ada@unverified.example';
    const { path: place } = await givenSchedule(api, path, { recipients: [refused, reader.email] });
    await api.as('editor').post(`${place}/run`);
    const run = await finishedRun(api, place);
    expect(run.status).toBe('sent');
    expect(run.perRecipient).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ recipient: refused, status: 'failed', reason: 'REFUSED', sentAt: null }),
        expect.objectContaining({ recipient: reader.email, status: 'sent', reason: null }),
      ]),
    );
    await mailTo(api, reader.email);
    expect(await mailsTo(api, refused)).toEqual([]);
  });

  it('is managed by the editors of the dashboard, with what it refers to checked', async ({ api }) => {
    const { path } = await published(api, [textCard('note')]);
    const schedules = `${path}/schedules`;
    const me = (await api.as('editor').get('/api/auth/me')).body.user;
    const body = { name: 'Weekly', cronExpression: '@weekly' };
    const { path: place, ...made } = await givenSchedule(api, path, body);
    expect(made).toMatchObject({
      ...{ ...body, timezone: 'UTC', isActive: true, condition: 'always', format: null, recipients: [me.email] },
      ...{ ownerId: me.id, status: 'active', stopReason: null, lastRun: null, revision: 1 },
    });
    const wrong = await api.as('editor').post(schedules, {
      ...{ name: 'x', cronExpression: '*/5 * * * *', recipients: [me.email, 'someone@else.example'] },
      ...{
        ownerId: UNKNOWN,
        pageId: 'nowhere',
        filters: [
          { op: 'eq', values: [1] },
          { filterId: UNKNOWN, op: 'eq' },
        ],
      },
    });
    expect(wrong.body.errors).toMatchObject([
      { pointer: '/cronExpression', code: 'TOO_FREQUENT' },
      { pointer: '/recipients/1', code: 'NOT_A_MEMBER' },
      { pointer: '/ownerId', code: 'NOT_A_MEMBER' },
      { pointer: '/filters/0', code: 'REQUIRED' },
      { pointer: '/filters/1/filterId', code: 'UNKNOWN' },
      { pointer: '/pageId', code: 'UNKNOWN' },
    ]);
    const zone = await api.as('editor').put(place, { timezone: 'Nowhere/Land' });
    expect(zone.body.errors).toMatchObject([{ pointer: '/timezone', code: 'TIMEZONE_UNKNOWN' }]);
    const other = await givenSchedule(api, path, { ...body, name: 'Daily' });
    const managed = { id: made.id, path: place, list: schedules, body };
    await expectNameTaken(api, managed, { other: 'Daily', code: 'DASHBOARD_SCHEDULE_NAME_TAKEN' });
    const stale = { headers: { 'if-match': '"9"' } };
    expect(await api.as('editor').put(place, { name: 'x' }, stale)).toMatchObject({ status: 412 });
    const paused = await api.as('editor').put(place, { isActive: false, cronExpression: '0 7 * * 1-5' });
    expect(paused.body).toMatchObject({
      status: 'paused',
      nextRunAt: null,
      cronExpression: '0 7 * * 1-5',
      revision: 2,
    });

    const headers = { 'idempotency-key': 'once' };
    const [once, again] = [1, 2].map(() => api.as('editor').send('POST', `${place}/run`, { headers }));
    expect(new Set([(await once!).body.id, (await again!).body.id].filter(Boolean)).size).toBe(1);
    for (const _more of [1, 2, 3, 4]) expect((await api.as('editor').post(`${place}/run`)).status).toBe(202);
    const often = await api.as('editor').post(`${place}/run`);
    expect(often).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });

    await api.as('editor').put(other.path, { recipients: [] });
    const stopped = await api.as('editor').post(`${other.path}/run`);
    expect(stopped).toMatchObject({ status: 409, body: { code: 'DASHBOARD_SCHEDULE_STOPPED' } });
    expect((await api.as('editor').get(schedules)).body).toMatchObject({
      total: 2,
      items: [{ name: 'Daily', status: 'stopped', stopReason: 'NO_RECIPIENTS' }, { name: 'Weekly' }],
    });

    const { caller: granted, userId } = await givenReader(api, { role: 'viewer' });
    expect((await granted.get(schedules)).status).toBe(403);
    await api.as('owner').put(`${path}/access/user/${userId}`, { permission: 'editor' });
    expect((await granted.get(schedules)).body).toMatchObject({ total: 2 });
    const outdated = { headers: { 'if-match': '"9"' } };
    expect(await granted.delete(other.path, outdated)).toMatchObject({ status: 412 });
    const { revision } = (await granted.get(schedules)).body.items.find(({ id }: { id: string }) => id === other.id);
    const removed = await granted.delete(other.path, { headers: { 'if-match': `"${revision}"` } });
    expect(removed).toMatchObject({ status: 200, body: { id: other.id, name: 'Daily' } });

    await expectDeleted(api, other.path, 'DASHBOARD_SCHEDULE_NOT_FOUND');
    await expectHidden(api, managed, 'DASHBOARD_NOT_FOUND');
    const missing = { status: 404, body: { code: 'DASHBOARD_SCHEDULE_NOT_FOUND' } };
    const { path: elsewhere } = await givenDashboard(api, { name: 'Elsewhere' });
    expect(await api.as('editor').get(`${elsewhere}/schedules/${made.id}/runs`)).toMatchObject(missing);
    await expectLimited(api, DASHBOARDS, managed, 'TOO_MANY_SCHEDULES');
  });
});

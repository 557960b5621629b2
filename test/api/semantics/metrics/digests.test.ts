import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, vi } from 'vitest';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { loseMetric } from '../../../support/given/lost.ts';
import { mailsTo, mailTo } from '../../../support/given/mails.ts';
import { givenMetric } from '../../../support/given/metric.ts';
import { givenField, givenModel, givenTable } from '../../../support/given/model.ts';
import { givenLabel, givenPolicy, givenReader } from '../../../support/given/protected.ts';
import { givenProvisioner, patchOf, SCIM } from '../../../support/given/provisioner.ts';
import { workOnReports } from '../../../support/given/report-work.ts';

const DIGESTS = '/api/metrics/digests';
const UNKNOWN = '00000000-0000-7000-8000-000000000000';

const yesterday = () => new Date(Date.now() - 86_400_000);

/** Sales of the year of the date and of the year before, in two regions. */
async function givenSales(api: Api, at = new Date()) {
  await givenDataset(api, {
    name: 'orders',
    sql: `SELECT make_date(${at.getUTCFullYear()} - earlier::INTEGER, 1, 1)::TIMESTAMPTZ AS day, region, amount::INTEGER AS amount, amount / 10 AS margin
      FROM (VALUES (false, 'eu', 300), (true, 'eu', 200), (false, 'us', 1000), (true, 'us', 2000)) AS t(earlier, region, amount)`,
  });
  const model = await givenModel(api);
  const table = await givenTable(api, model.path, 'orders');
  const timeFieldId = await givenField(api, table.path, 'day', { dataType: 'datetime' });
  await givenField(api, table.path, 'region');
  const amount = await givenField(api, table.path, 'amount', { dataType: 'integer' });
  const margin = await givenField(api, table.path, 'margin', { dataType: 'decimal' });
  const metric = { modelId: model.id, aggregation: 'sum', timeFieldId, grain: 'year', direction: 'up_good' };
  const sales = await givenMetric(api, { ...metric, name: 'Sales', fieldId: amount });
  const profit = await givenMetric(api, { ...metric, name: 'Profit', fieldId: margin });
  return { model, table, margin, sales, profit };
}

async function created(api: Api, body: object) {
  const digest = { name: `Numbers ${crypto.randomUUID()}`, cron: '0 8 * * 1', ...body };
  const reply = await api.as('editor').post(DIGESTS, digest);
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return { ...reply.body, path: `${DIGESTS}/${reply.body.id}` };
}

async function finished(api: Api, path: string, runId: string) {
  return vi.waitFor(
    async () => {
      const { body } = await api.as('viewer').get(`${path}/runs/${runId}`);
      expect(body).toMatchObject({ status: 'sent' });
      expect(body.mails.every(({ status }: { status: string }) => status !== 'queued')).toBe(true);
      return body;
    },
    { timeout: 60_000, interval: 200 },
  );
}

async function events(api: Api, name: string) {
  const { pk } = workspaceKey(api.workspaceId, 'OUTBOX', '');
  const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk }, ConsistentRead: true };
  const { Items } = await api.table.db.send(new QueryCommand({ TableName: api.table.name, ...query }));
  return Items!.filter(({ event }) => event === name).map(({ data }) => data);
}

const linkIn = (text: string) => /https?:\S+\/unsubscribe\?token=\S+/.exec(text)![0];

describe('a digest of metrics', () => {
  it('brings each recipient the numbers that they may see, until they unsubscribe', async ({ api }) => {
    const { model, table, margin, sales, profit } = await givenSales(api);
    const [eu, us] = await Promise.all([
      givenReader(api, { role: 'viewer', attributes: { region: ['eu'], sensitivityLabels: ['private'] } }),
      givenReader(api, { role: 'viewer', attributes: { region: ['us'] } }),
    ]);
    await givenPolicy(api, model.path, { tableId: table.id });
    await givenLabel(api, table.path, margin, 'Private');
    const digest = await created(api, { metricIds: [sales.id, profit.id], recipientIds: [eu.userId, us.userId] });
    expect(digest).toMatchObject({ status: 'active', stopReason: null, timezone: 'UTC', revision: 1 });

    const sent = await api.as('editor').post(`${digest.path}/send`);
    expect(sent).toMatchObject({ status: 202, body: { status: 'queued', trigger: { kind: 'manual' } } });
    const run = await finished(api, digest.path, sent.body.id);
    const outcomes = [
      { userId: eu.userId, status: 'sent', leftOutCount: 0 },
      { userId: us.userId, status: 'sent', leftOutCount: 1 },
    ];
    expect(run.mails).toEqual(expect.arrayContaining(outcomes.map((each) => expect.objectContaining(each))));
    const [toEu, toUs] = [await mailTo(api, eu.email), await mailTo(api, us.email)];
    expect(toEu.subject).toBe(digest.name);
    expect(toEu.text).toMatch(/Sales: 300\n {2}\d{4} so far\n {2}▲ 50% from 200 in the same part of \d{4}/);
    expect(toEu.text).toContain('Profit: 30');
    expect(toUs.text).toMatch(/Sales: 1,000\n.*\n {2}▼ 50% from 2,000/);
    expect(toUs.text).not.toContain('Profit');
    expect(toUs.text).toContain('1 metric is left out, because you may not see the data.');
    expect(await events(api, 'digest.sent')).toMatchObject([
      {
        digestId: digest.id,
        metrics: [
          { metricName: 'Sales', value: null },
          { metricName: 'Profit', value: null },
        ],
      },
    ]);

    const link = new URL(linkIn(toEu.text));
    expect(toEu.headers).toEqual({
      'List-Unsubscribe': `<${link.href}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
    const path = `${link.pathname}${link.search}`;
    const asked = await api.as('anonymous').get(path);
    expect(asked).toMatchObject({ status: 200, body: expect.stringContaining('<button>Unsubscribe</button>') });
    expect((await api.as('viewer').get(digest.path)).body.recipientIds).toHaveLength(2);
    for (const _twice of [1, 2]) {
      const form = {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        text: 'List-Unsubscribe=One-Click',
      };
      expect((await api.as('anonymous').send('POST', path, form)).status).toBe(200);
    }
    expect((await api.as('viewer').get(digest.path)).body).toMatchObject({ recipientIds: [us.userId], revision: 2 });
    const forged = path.replace(eu.userId, us.userId);
    for (const reply of [await api.as('anonymous').get(forged), await api.as('anonymous').send('POST', forged)]) {
      expect(reply).toMatchObject({ status: 404, body: { code: 'UNSUBSCRIBE_LINK_INVALID' } });
    }

    await api.as('owner').delete(`/api/workspaces/members/${us.userId}`);
    expect((await api.as('viewer').get(digest.path)).body).toMatchObject({
      ...{ status: 'stopped', stopReason: 'NO_RECIPIENTS', recipientIds: [], nextAt: null },
    });
    const again = await api.as('editor').post(`${digest.path}/send`);
    expect(again).toMatchObject({ status: 409, body: { code: 'METRIC_DIGEST_STOPPED' } });
    expect([await mailsTo(api, eu.email), await mailsTo(api, us.email)].map(({ length }) => length)).toEqual([1, 1]);
  });

  it('is sent once for each instant of its schedule, to those who are members then', async ({ api }) => {
    const { sales, profit } = await givenSales(api, yesterday());
    const [owner, stays, leaves] = await Promise.all([givenReader(api), givenReader(api), givenReader(api)]);
    const people = { ownerId: owner.userId, recipientIds: [stays.userId, leaves.userId] };
    const digest = await created(api, { ...people, metricIds: [profit.id, sales.id], cron: '0 8 * * *' });
    await api.as('owner').delete(`/api/workspaces/members/${leaves.userId}`);
    await loseMetric(api, profit.id);
    const due = (scheduledAt: string) =>
      workOnReports(api, {
        ...{ op: 'delivery-due', kind: 'digest' },
        ...{ workspaceId: api.workspaceId, deliveryId: digest.id, scheduledAt },
      });
    const date = yesterday().toISOString().slice(0, 10);
    const instant = `${date}T08:00:00.000Z`;
    await due(instant);
    await Promise.all([due(instant), due(instant), due(`${date}T09:00:00.000Z`)]);
    const { items } = (await api.as('viewer').get(`${digest.path}/runs`)).body;
    expect(items).toMatchObject([
      { status: 'sent', trigger: { kind: 'schedule', scheduledAt: instant, actor: null }, recipientCount: 2 },
    ]);
    const { mails } = await finished(api, digest.path, items[0].id);
    expect(mails).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ userId: stays.userId, status: 'sent' }),
        expect.objectContaining({ userId: leaves.userId, status: 'skipped', reason: 'NOT_A_MEMBER' }),
      ]),
    );
    expect((await mailTo(api, stays.email)).text).toContain('Sales: 1,300');
    expect(await events(api, 'digest.sent')).toMatchObject(
      [
        {
          periodStart: new Date(Date.parse(instant) - 86_400_000).toISOString(),
          periodEnd: instant,
          metrics: [
            { metricName: 'Sales', value: 1300, displayValue: '1,300', change: -0.409, paceStatus: 'no_target' },
          ],
        },
      ].map((event) => ({ ...event, metrics: [{ ...event.metrics[0], change: expect.closeTo(-0.409, 3) }] })),
    );

    const { caller: provider } = await givenProvisioner(api);
    const setActive = (userId: string, value: boolean) =>
      provider.patch(`${SCIM}/Users/${userId}`, patchOf({ op: 'replace', path: 'active', value }));
    const admin = (await api.as('owner').get('/api/auth/me')).body.user;
    await setActive(owner.userId, false);
    expect((await api.as('viewer').get(digest.path)).body).toMatchObject({
      ...{ status: 'stopped', stopReason: 'OWNER_INACTIVE', recipientIds: [stays.userId], nextAt: null },
    });
    for (const daysAgo of [3, 2]) {
      await due(`${new Date(Date.parse(instant) - (daysAgo - 1) * 86_400_000).toISOString()}`);
    }
    expect((await api.as('viewer').get(`${digest.path}/runs`)).body.items.slice(1)).toMatchObject([
      { status: 'skipped', reason: 'OWNER_INACTIVE' },
      { status: 'skipped', reason: 'OWNER_INACTIVE' },
    ]);
    // The owner is one for all tests, and gets other mails too.
    const stopped = async () =>
      (await mailsTo(api, admin.email)).filter(({ subject }) => subject === 'A digest has stopped');
    await expect.poll(async () => (await stopped()).length).toBe(1);
    const [notice] = await stopped();
    expect(notice!.text).toContain(`“${digest.name}”`);
    await setActive(owner.userId, true);
    await setActive(stays.userId, false);
    expect((await api.as('viewer').get(digest.path)).body).toMatchObject({
      ...{ status: 'stopped', stopReason: 'NO_RECIPIENTS', recipientIds: [stays.userId] },
    });
    await setActive(stays.userId, true);
    expect((await api.as('viewer').get(digest.path)).body).toMatchObject({ status: 'active', stopReason: null });
    expect(await stopped()).toHaveLength(1);

    await api.as('owner').delete(`/api/workspaces/members/${owner.userId}`);
    expect((await api.as('viewer').get(digest.path)).body).toMatchObject({
      status: 'stopped',
      stopReason: 'OWNER_LEFT',
    });
    const today = `${new Date().toISOString().slice(0, 10)}T08:00:00.000Z`;
    await due(today);
    expect((await api.as('viewer').get(`${digest.path}/runs`)).body.items).toMatchObject([
      { status: 'skipped', reason: 'OWNER_LEFT', trigger: { scheduledAt: today } },
      { status: 'sent' },
      { status: 'skipped' },
      { status: 'skipped' },
    ]);
    expect(await mailsTo(api, stays.email)).toHaveLength(1);
  });

  it('is managed by editors, with what it refers to checked', async ({ api }) => {
    const { sales } = await givenSales(api);
    const me = (await api.as('editor').get('/api/auth/me')).body.user.id;
    const body = { name: 'Weekly', metricIds: [sales.id], cron: '@weekly', recipientIds: [me] };
    const { path } = await created(api, body);
    expect((await api.as('editor').get(path)).body).toMatchObject({ ownerId: me, status: 'active' });
    const taken = await api.as('editor').post(DIGESTS, { ...body, name: 'WEEKLY' });
    expect(taken).toMatchObject({ status: 409, body: { code: 'METRIC_DIGEST_NAME_TAKEN' } });
    const wrong = await api.as('editor').post(DIGESTS, {
      ...{ name: 'x', metricIds: [UNKNOWN], recipientIds: [me, UNKNOWN], ownerId: UNKNOWN, cron: '*/5 * * * *' },
    });
    expect(wrong.body.errors).toMatchObject([
      { pointer: '/cron', code: 'TOO_FREQUENT' },
      { pointer: '/metricIds/0', code: 'UNKNOWN_METRIC' },
      { pointer: '/recipientIds/1', code: 'NOT_A_MEMBER' },
      { pointer: '/ownerId', code: 'NOT_A_MEMBER' },
    ]);
    const zone = await api.as('editor').patch(path, { timezone: 'Nowhere/Land' });
    expect(zone.body.errors).toMatchObject([{ pointer: '/timezone', code: 'TIMEZONE_UNKNOWN' }]);
    await created(api, { ...body, name: 'Daily' });
    const renamed = await api.as('editor').patch(path, { name: 'daily' });
    expect(renamed).toMatchObject({ status: 409, body: { code: 'METRIC_DIGEST_NAME_TAKEN' } });
    const paused = await api.as('editor').patch(path, { isActive: false, cron: '0 7 * * 1-5' });
    expect(paused.body).toMatchObject({ status: 'paused', nextAt: null, cron: '0 7 * * 1-5', revision: 2 });
    expect((await api.as('viewer').get(`${DIGESTS}?search=WEEK`)).body).toMatchObject({
      total: 1,
      items: [paused.body],
    });
    expect((await api.as('viewer').get(`${DIGESTS}?isActive=false`)).body.items).toEqual([paused.body]);
    expect((await api.as('viewer').get(`${DIGESTS}?isActive=true`)).body.items).toMatchObject([{ name: 'Daily' }]);

    const stale = { headers: { 'if-match': '"9"' } };
    for (const reply of [
      await api.as('editor').patch(path, { name: 'x' }, stale),
      await api.as('editor').delete(path, stale),
    ]) {
      expect(reply).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
    }
    const list = (query: string) => api.as('viewer').get(`${DIGESTS}${query}`);
    expect(await list('?offset=10001')).toMatchObject({ status: 400, body: { code: 'OFFSET_TOO_LARGE' } });

    expect((await api.as('viewer').post(DIGESTS, body)).status).toBe(403);
    const missing = { status: 404, body: { code: 'METRIC_DIGEST_NOT_FOUND' } };
    const stranger = api.as('stranger');
    expect((await stranger.get(DIGESTS)).body).toMatchObject({ total: 0 });
    expect(await stranger.get(path)).toMatchObject(missing);
    expect(await stranger.patch(path, { name: 'Mine' })).toMatchObject(missing);
    expect(await stranger.post(`${path}/send`)).toMatchObject(missing);
    expect(await stranger.get(`${path}/runs`)).toMatchObject(missing);
    expect(await stranger.get(`${path}/runs/${UNKNOWN}`)).toMatchObject(missing);
    expect(await stranger.delete(path)).toMatchObject(missing);
    const noRun = await api.as('viewer').get(`${path}/runs/${UNKNOWN}`);
    expect(noRun).toMatchObject({ status: 404, body: { code: 'METRIC_DIGEST_RUN_NOT_FOUND' } });

    const headers = { 'idempotency-key': 'once' };
    const [first, repeated] = [1, 2].map(() => api.as('editor').send('POST', `${path}/send`, { headers }));
    const runIds = [(await first!).body.id, (await repeated!).body.id].filter(Boolean);
    expect(new Set(runIds).size).toBe(1);
    for (const _more of [1, 2, 3, 4]) expect((await api.as('editor').post(`${path}/send`)).status).toBe(202);
    const often = await api.as('editor').post(`${path}/send`);
    expect(often).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(Number(often.headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect((await api.as('editor').delete(path)).status).toBe(204);
    expect(await api.as('editor').get(path)).toMatchObject(missing);
    const total = { pk: `W#${api.workspaceId}#METRIC-DIGEST`, sk: '#TOTAL' };
    await api.table.db.send(new UpdateCommand(updateOf(api.table, total, { set: { count: 5001 } })));
    expect(await list('')).toMatchObject({ status: 400, body: { code: 'LIST_TOO_LARGE' } });
  });
});

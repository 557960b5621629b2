import { describe, expect } from 'vitest';
import { REPORTS } from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import { deliveryArea } from '../../../../shared/domains/delivery/deliveries/index.ts';
import { idFrom, newId } from '../../../../shared/platform/storage/ids.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { itemsBelow } from '../../../../shared/platform/storage/query-items.ts';
import { type Api, it } from '../../../support/api.ts';
import { chart } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { mailTo } from '../../../support/given/mails.ts';
import {
  expectDeleted,
  expectHidden,
  expectLimited,
  expectNameTaken,
  leaveByLink,
} from '../../../support/given/managed-schedules.ts';
import { posted } from '../../../support/given/model.ts';
import { givenProtected, givenReader, SECRET_ROW } from '../../../support/given/protected.ts';
import { allowDomains, atInstant, dayBefore, finishedRun, givenSchedule } from '../../../support/given/schedules.ts';
import { givenReceiver } from '../../../support/given/targets.ts';

const OUTSIDE = 'partner.example.org';

const givenReport = async (api: Api, blocks: readonly object[], more: object = {}) => {
  const body = { name: `Sales ${crypto.randomUUID()}`, isPublished: true, layout: { blocks }, ...more };
  const { id } = await posted(api, '/api/reports', body);
  return { id, path: `/api/reports/${id}` };
};

async function eventOf(api: Api, runId: string) {
  const items = await Array.fromAsync(itemsBelow(api.table, workspaceKey(api.workspaceId, 'OUTBOX', '')));
  return items.find(({ id }) => id === idFrom('report.delivered', runId));
}

describe('a delivery schedule of a report', () => {
  it('sends each member the rows that they may see, reports it, and ends for those who unsubscribe', async ({
    api,
  }) => {
    const { model, field } = await givenProtected(api);
    const dataset = await givenDataset(api, {
      name: `orders_${crypto.randomUUID().slice(0, 8)}`,
      sql: `SELECT * FROM (VALUES ('North', 300), ('South', 1000)) AS t(region, amount)`,
    });
    const { id: reportId, path } = await givenReport(
      api,
      [
        { id: 'title', type: 'heading', text: 'Revenue of the month' },
        {
          ...{ id: 'total', type: 'kpi', title: 'Revenue' },
          chartSpec: {
            ...chart({
              source: { kind: 'dataset', id: dataset.id },
              measures: [{ column: 'amount', aggregation: 'sum', label: 'Total' }],
            }),
            mark: { type: 'kpi' },
          },
          bindings: [{ parameter: 'region', fieldId: 'region' }],
        },
        {
          ...{ id: 'names', type: 'table', title: 'Names' },
          chartSpec: chart({ source: { kind: 'model', id: model.id }, dimensions: [{ fieldId: field.name }] }),
        },
      ],
      { parameters: [{ name: 'region', type: 'text', isRequired: true }] },
    );
    const [eu, us] = await Promise.all([
      givenReader(api, { role: 'viewer', attributes: { region: ['eu'] } }),
      givenReader(api, { role: 'viewer', attributes: { region: ['us'], sensitivityLabels: ['private'] } }),
    ]);
    const given = { name: 'Daily', cronExpression: '0 8 * * *', parameters: [{ name: 'region', value: 'North' }] };
    await allowDomains(api, [OUTSIDE]);
    const outside = await api.as('editor').post(`${path}/schedules`, { ...given, recipients: [`a@${OUTSIDE}`] });
    expect(outside).toMatchObject({ status: 400, body: { errors: [{ code: 'ROW_RIGHTS' }] } });

    const { id, path: place } = await givenSchedule(api, path, {
      ...{ ...given, format: 'xlsx', condition: 'changed', recipients: [eu.email, us.email] },
    });
    await atInstant(api, 'report', id, dayBefore(2));
    await atInstant(api, 'report', id, dayBefore(2));
    const first = await finishedRun(api, place);
    expect(first).toMatchObject({ status: 'sent', scheduledFor: dayBefore(2), recipientCount: 2 });
    for (const each of first.perRecipient)
      expect(each).toMatchObject({ status: 'sent', cardCount: 2, failedCardCount: 0, error: null });
    const [toEu, toUs] = [await mailTo(api, eu.email), await mailTo(api, us.email)];
    expect(toEu.text).toMatch(/Revenue of the month:\n/);
    expect(toEu.text).toMatch(/Revenue: 300\n/);
    expect(toEu.text).toContain('Ann');
    expect(toEu.text + toEu.html).not.toContain(SECRET_ROW);
    expect(toUs.text).toContain(SECRET_ROW);
    expect(toUs.attachments).toMatchObject([{ fileName: expect.stringMatching(/\.xlsx$/) }]);
    expect(await eventOf(api, first.id)).toMatchObject({
      event: 'report.delivered',
      data: {
        reportId,
        scheduleId: id,
        runId: first.id,
        status: 'succeeded',
        recipientCount: 2,
        failedRecipientCount: 0,
      },
    });

    await leaveByLink(api, toUs, { noun: 'report', userId: us.userId, otherId: eu.userId });
    expect(await api.as('editor').put(place, { recipients: [us.email] })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/recipients/0', code: 'UNSUBSCRIBED' }] },
    });

    await api.as('editor').put(path, { isPublished: false });
    await atInstant(api, 'report', id, dayBefore(1));
    const hidden = await finishedRun(api, place);
    expect(hidden.perRecipient).toMatchObject([{ recipient: eu.email, status: 'skipped', reason: 'NO_ACCESS' }]);
    expect(await eventOf(api, hidden.id)).toMatchObject({ data: { status: 'failed', failedRecipientCount: 1 } });

    await api.as('editor').put(path, { parameters: [{ name: 'region', type: 'number' }] });
    await atInstant(api, 'report', id, dayBefore(0));
    expect(await finishedRun(api, place)).toMatchObject({ status: 'skipped', reason: 'PARAMETERS_INVALID' });
    expect((await api.as('editor').get(`${path}/schedules`)).body.items).toMatchObject([
      { status: 'stopped', stopReason: 'PARAMETERS_INVALID' },
    ]);

    const stale = { headers: { 'if-match': '"99"' } };
    expect(await api.as('editor').delete(place, stale)).toMatchObject({ status: 412 });
    expect(await api.as('editor').delete(place)).toMatchObject({ status: 200, body: { id, reportId } });
    const runs = deliveryArea(REPORTS, { workspaceId: api.workspaceId, deliveryId: id });
    expect(
      await Array.fromAsync(itemsBelow(api.table, workspaceKey(api.workspaceId, 'CLEAN-UP', 'delivery#'))),
    ).toMatchObject([{ ended: { kind: 'delivery', area: REPORTS.area, deliveryId: id } }]);
    expect((await Array.fromAsync(itemsBelow(api.table, runs))).length).toBeGreaterThan(0);
  });

  it('sends to targets as well, which the event counts among the recipients', async ({ api }) => {
    const receiver = await givenReceiver(api);
    const { id: reportId, path } = await givenReport(api, [{ id: 'note', type: 'text', text: 'All is <well>.' }]);
    const reader = await givenReader(api);
    const { path: place } = await givenSchedule(api, path, {
      ...{ format: 'pdf', recipients: [reader.email] },
      targets: [{ type: 'webhook', url: receiver.url }],
    });
    await api.as('editor').post(`${place}/run`);
    const run = await finishedRun(api, place);
    expect(run).toMatchObject({ status: 'sent', recipientCount: 1, targetCount: 1 });
    expect(run.perRecipient).toMatchObject([{ recipient: reader.email, status: 'sent' }]);
    expect(run.perTarget).toMatchObject([{ status: 'sent', attempts: 1, error: null }]);
    const [request] = await receiver.waitFor(1);
    expect(JSON.parse(request!.body)).toMatchObject({
      object: { kind: 'report', id: reportId, url: null },
      cards: [{ text: 'All is <well>.' }],
      file: { contentType: 'application/pdf', bytes: run.perTarget[0].bytes },
    });
    expect(request!.headers).not.toHaveProperty('x-service-signature');
    await allowDomains(api, ['127.0.0.1', '169.254.169.254']);
    const targets = [{ type: 'slack', url: 'http://169.254.169.254/latest' }];
    const timed = { name: 'Blocked', cronExpression: '@daily', targets };
    for (const reply of [
      await api.as('editor').post(`${path}/schedules`, timed),
      await api.as('editor').put(place, { targets }),
    ])
      expect(reply).toMatchObject({ status: 400, body: { code: 'ADDRESS_BLOCKED' } });
    const data = { status: 'succeeded', recipientCount: 2, failedRecipientCount: 0 };
    expect(await eventOf(api, run.id)).toMatchObject({ data });
    await allowDomains(api, []);
    await api.as('editor').post(`${place}/run`);
    const partial = await finishedRun(api, place);
    expect(partial.perTarget).toMatchObject([{ status: 'skipped', reason: 'DOMAIN_NOT_ALLOWED' }]);
    expect(await eventOf(api, partial.id)).toMatchObject({ data: { status: 'partial', failedRecipientCount: 1 } });
  });

  it('is managed by the editors of the report, with what it refers to checked', async ({ api }) => {
    const text = { id: 'note', type: 'text', text: 'Nothing yet.' };
    const { path } = await givenReport(api, [text], { parameters: [{ name: 'least', type: 'number' }] });
    const schedules = `${path}/schedules`;
    const me = (await api.as('editor').get('/api/auth/me')).body.user;
    const body = { name: 'Weekly', cronExpression: '@weekly' };
    const { path: place, ...made } = await givenSchedule(api, path, body);
    expect(made).toMatchObject({
      ...{ ...body, parameters: [], filters: [], format: null, recipients: [me.email], status: 'active', revision: 1 },
    });
    const wrong = await api.as('editor').post(schedules, {
      ...{ name: 'x', cronExpression: '*/5 * * * *', recipients: ['someone@else.example'] },
      ...{ parameters: [{ name: 'most', value: 1 }], filters: [{ filterId: newId(), op: 'eq', values: [1] }] },
    });
    expect(wrong.body.errors).toMatchObject([
      { pointer: '/cronExpression', code: 'TOO_FREQUENT' },
      { pointer: '/recipients/0', code: 'NOT_A_MEMBER' },
      { pointer: '/filters/0', code: 'REQUIRED' },
      { pointer: '/parameters/0/name', code: 'UNKNOWN' },
    ]);
    const other = await givenSchedule(api, path, { ...body, name: 'Daily' });
    const managed = { id: made.id, path: place, list: schedules, body };
    await expectNameTaken(api, managed, { other: 'Daily', code: 'REPORT_SCHEDULE_NAME_TAKEN' });
    const stale = { headers: { 'if-match': '"9"' } };
    expect(await api.as('editor').put(place, { name: 'x' }, stale)).toMatchObject({ status: 412 });
    for (const _one of [1, 2, 3, 4, 5]) expect((await api.as('editor').post(`${place}/run`)).status).toBe(202);
    const often = await api.as('editor').post(`${place}/run`);
    expect(often).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    await api.as('editor').put(other.path, { recipients: [] });
    const stopped = await api.as('editor').post(`${other.path}/run`);
    expect(stopped).toMatchObject({ status: 409, body: { code: 'REPORT_SCHEDULE_STOPPED' } });
    expect((await api.as('viewer').get(schedules)).status).toBe(403);

    await api.as('editor').delete(other.path);
    await expectDeleted(api, other.path, 'REPORT_SCHEDULE_NOT_FOUND');
    await expectHidden(api, managed, 'REPORT_NOT_FOUND');
    await expectLimited(api, REPORTS, managed, 'TOO_MANY_REPORT_SCHEDULES');
  });
});

import { createHmac } from 'node:crypto';
import { describe, expect } from 'vitest';
import { DASHBOARDS, scheduleRepository } from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import { type Api, it } from '../../../support/api.ts';
import { textCard } from '../../../support/given/dashboard.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable } from '../../../support/given/model.ts';
import { givenPolicy, givenProtected, givenReader, SECRET_ROW } from '../../../support/given/protected.ts';
import { chart, givenOpen, published } from '../../../support/given/published.ts';
import { allowDomains, atInstant, dayBefore, finishedRun, givenSchedule } from '../../../support/given/schedules.ts';
import { givenReceiver, workOnTargets } from '../../../support/given/targets.ts';

const SECRET = 'shared-secret-5b1f';
const TOKEN = 'Bearer token-81c2';

const sendNow = async (api: Api, place: string) => {
  const sent = await api.as('editor').post(`${place}/run`);
  expect(sent.status, JSON.stringify(sent.body)).toBe(202);
  return finishedRun(api, place);
};

describe('the targets of a delivery schedule', () => {
  it('are a webhook with a signature and the file, Slack and Teams, and people get nothing by default', async ({
    api,
  }) => {
    const { path } = await givenOpen(api);
    const [hook, slack, teams] = [await givenReceiver(api), await givenReceiver(api), await givenReceiver(api, 202)];
    const { path: place, ...made } = await givenSchedule(api, path, {
      ...{ name: 'Evil <!channel> *report*', format: 'csv' },
      targets: [
        { type: 'webhook', url: hook!.url, secret: SECRET, headers: { Authorization: TOKEN } },
        { type: 'slack', name: '#sales', url: slack!.url },
        { type: 'teams', url: teams!.url },
      ],
    });
    expect(made).toMatchObject({
      ...{ recipients: [], status: 'active' },
      targets: [
        { type: 'webhook', origin: new URL(hook!.url).origin, hasSecret: true, headers: { Authorization: '******' } },
        { type: 'slack', name: '#sales', hasSecret: false, headers: {} },
        { type: 'teams', name: new URL(teams!.url).host },
      ],
    });
    const run = await sendNow(api, place);
    expect(run).toMatchObject({ status: 'sent', recipientCount: 0, targetCount: 3, perRecipient: [] });
    expect(run.perTarget).toHaveLength(3);
    for (const each of run.perTarget)
      expect(each).toMatchObject({ status: 'sent', attempts: 1, reason: null, lastError: null, cardCount: 2 });

    const [request] = await hook!.waitFor(1);
    const body = JSON.parse(request!.body);
    expect(body).toMatchObject({
      ...{ type: 'delivery', workspaceId: api.workspaceId, scheduledFor: null, startedAt: run.startedAt },
      schedule: { id: made.id, name: made.name },
      object: { kind: 'dashboard', id: made.dashboardId, url: expect.stringContaining(`/d/${made.dashboardId}`) },
      cards: [
        { title: 'Revenue', text: expect.stringContaining('1,300') },
        { title: 'By region', text: 'region: eu · Total: 300\nregion: us · Total: 1,000' },
        { title: 'Note', text: 'Refunds are <not> included.' },
      ],
      file: { bytes: expect.any(Number), truncated: false },
    });
    expect(await (await fetch(body.file.downloadUrl)).arrayBuffer()).toHaveProperty('byteLength', body.file.bytes);
    const { headers } = request!;
    expect(headers).toMatchObject({ authorization: TOKEN, 'webhook-id': body.id, 'x-service-delivery-id': body.id });
    const signed = `${headers['x-service-timestamp']}.${body.id}.${request!.body}`;
    const digest = createHmac('sha256', SECRET).update(signed).digest('hex');
    expect(headers['x-service-signature']).toBe(`sha256=${digest}`);

    const chat = JSON.parse((await slack!.waitFor(1))[0]!.body);
    expect(Object.keys(chat)).toEqual(['text', 'blocks']);
    const said = JSON.stringify(chat);
    for (const part of ['1,300', 'By region', 'Open the dashboard']) expect(said).toContain(part);
    for (const mark of ['<!channel>', '*report*', '<not>']) expect(said).not.toContain(mark);

    const card = JSON.parse((await teams!.waitFor(1))[0]!.body);
    expect(card).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: { type: 'AdaptiveCard', actions: [{ type: 'Action.OpenUrl' }] },
        },
      ],
    });
    const { body: blocks } = card.attachments[0].content;
    expect(new Set(blocks.map(({ type }: { type: string }) => type))).toEqual(new Set(['RichTextBlock']));
    expect(JSON.stringify(blocks)).toContain('region: us · Total: 1,000');
  });

  it('get an attempt again after passing errors only, and none after a recorded success', async ({ api }) => {
    const { path } = await givenOpen(api);
    const passing = await givenReceiver(api, 500, 200);
    const down = await givenReceiver(api, 503);
    const gone = await givenReceiver(api, 410);
    const wrong = await givenReceiver(api, 404);
    const receivers = [passing, down, gone, wrong];
    const { id: deliveryId, path: place } = await givenSchedule(api, path, {
      targets: receivers.map(({ url }) => ({ type: 'webhook', url })),
    });
    const { id: runId, perTarget } = await sendNow(api, place);
    const [, ...byOrder] = [null, ...(await api.as('editor').get(`${path}/schedules`)).body.items[0].targets];
    const results = byOrder.map(({ id }) => perTarget.find(({ targetId }: { targetId: string }) => targetId === id));
    expect(results).toMatchObject([
      { status: 'sent', attempts: 2, responseStatus: 200, lastError: null, reason: null },
      { status: 'failed', attempts: 5, responseStatus: 503, reason: 'ATTEMPTS_EXHAUSTED', sentAt: null },
      { status: 'failed', attempts: 1, responseStatus: 410, reason: 'GONE' },
      { status: 'failed', attempts: 1, responseStatus: 404, reason: 'REFUSED', lastError: 'the receiver answered 404' },
    ]);
    expect(new Set(passing.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    for (const { targetId } of perTarget)
      for (const _twice of [1, 2]) await workOnTargets(api, { delivery: DASHBOARDS.name, deliveryId, runId, targetId });
    expect(receivers.map(({ received }) => received.length)).toEqual([2, 5, 1, 1]);
  });

  it('never get rows that not every member may see', async ({ api }) => {
    const receiver = await givenReceiver(api);
    const targets = [{ type: 'webhook', url: receiver.url }];
    const { model, field } = await givenProtected(api, { name: `staff_${crypto.randomUUID().slice(0, 8)}` });
    const names = (source: object, dimension: object) => ({
      ...{ id: 'names', title: 'Names' },
      chartSpec: chart({ source, dimensions: [dimension] }),
    });
    const source = { kind: 'model', id: model.id };
    const { path: hidden } = await published(api, [names(source, { fieldId: field.name })]);
    const refused = await api
      .as('editor')
      .post(`${hidden}/schedules`, { name: 'Daily', cronExpression: '@daily', targets });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer: '/targets/0', code: 'ROW_RIGHTS' }] } });

    // A policy that comes after the schedule stops it as well.
    const name = `open_${crypto.randomUUID().slice(0, 8)}`;
    await givenDataset(api, { name, sql: `SELECT 'us' AS region, '${SECRET_ROW}' AS name` });
    const open = await givenModel(api, { name: `Model of ${name}` });
    const table = await givenTable(api, open.path, name);
    await givenField(api, table.path, 'region');
    const fieldId = await givenField(api, table.path, 'name');
    const { path } = await published(api, [names({ kind: 'model', id: open.id }, { fieldId })]);
    const { id, path: place } = await givenSchedule(api, path, { targets });
    await givenPolicy(api, open.path, { tableId: table.id });
    await atInstant(api, 'dashboard', id, dayBefore(1));
    const skipped = { status: 'skipped', attempts: 0, sentAt: null };
    expect((await finishedRun(api, place)).perTarget).toMatchObject([{ ...skipped, reason: 'ROW_RIGHTS' }]);

    const draft = await givenOpen(api);
    const { id: second, path: later } = await givenSchedule(api, draft.path, { targets, condition: 'changed' });
    await atInstant(api, 'dashboard', second, dayBefore(3));
    expect((await finishedRun(api, later)).perTarget).toMatchObject([{ status: 'sent' }]);
    await atInstant(api, 'dashboard', second, dayBefore(2));
    expect((await finishedRun(api, later)).perTarget).toMatchObject([{ ...skipped, reason: 'UNCHANGED' }]);
    await allowDomains(api, ['example.com']);
    await atInstant(api, 'dashboard', second, dayBefore(1));
    expect((await finishedRun(api, later)).perTarget).toMatchObject([{ ...skipped, reason: 'DOMAIN_NOT_ALLOWED' }]);
    await api.as('editor').delete(draft.path);
    await atInstant(api, 'dashboard', second, dayBefore(0));
    await api.as('owner').post(`${draft.path}/restore`, {});
    expect(await finishedRun(api, later)).toMatchObject({ status: 'skipped', reason: 'DASHBOARD_DELETED' });
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]!.body).not.toContain(SECRET_ROW);
  });

  it('are at allowed hosts and addresses, and changed by editors without showing what is secret', async ({ api }) => {
    const { path } = await published(api, [textCard('note')]);
    const receiver = await givenReceiver(api);
    await allowDomains(api, ['127.0.0.1', '169.254.169.254', 'hooks.example.com']);
    const schedules = `${path}/schedules`;
    const body = { name: 'Weekly', cronExpression: '@weekly' };
    const post = (targets: object[]) => api.as('editor').post(schedules, { ...body, targets });
    const url = receiver.url;
    const wrong = await post([
      { type: 'webhook', url: 'https://elsewhere.example.com/hook' },
      { type: 'webhook', url, headers: { Host: 'x' } },
      { type: 'slack', url, secret: SECRET },
    ]);
    expect(wrong).toMatchObject({
      status: 400,
      body: {
        errors: [
          { pointer: '/targets/0/url', code: 'DOMAIN_NOT_ALLOWED' },
          { pointer: '/targets/1/headers/Host', code: 'HEADER_RESERVED' },
          { pointer: '/targets/2/secret', code: 'NOT_APPLICABLE' },
        ],
      },
    });
    for (const closed of ['http://169.254.169.254/latest', 'file:///etc/passwd', 'no address']) {
      const reply = await post([{ type: 'webhook', url: closed }]);
      expect(reply, closed).toMatchObject({ status: 400, body: { errors: [{ pointer: '/targets/0/url' }] } });
    }
    expect((await post([{ type: 'webhook', url: 'http://169.254.169.254/latest' }])).body.code).toBe('ADDRESS_BLOCKED');
    expect((await post(Array.from({ length: 11 }, () => ({ type: 'webhook', url })))).status).toBe(400);

    const {
      id,
      path: place,
      ...made
    } = await givenSchedule(api, path, {
      ...body,
      targets: [{ type: 'webhook', url: `${url}/path-7d2e`, secret: SECRET, headers: { Authorization: TOKEN } }],
    });
    const [{ id: targetId }] = made.targets;
    const put = (...targets: object[]) => api.as('editor').put(place, { targets });
    expect(await put({ id: targetId, type: 'slack' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/targets/0/type', code: 'IMMUTABLE' }] },
    });
    expect((await put({ type: 'webhook' })).body.errors).toMatchObject([{ pointer: '/targets/0/url' }]);
    const foreign = { id: crypto.randomUUID(), type: 'webhook', url };
    expect((await put(foreign)).body.errors).toMatchObject([{ pointer: '/targets/0/id', code: 'UNKNOWN' }]);
    expect(
      (await put({ id: targetId, type: 'webhook', url: 'https://hooks.example.com/x' })).body.errors,
    ).toMatchObject([
      { pointer: '/targets/0/headers', code: 'REQUIRED' },
      { pointer: '/targets/0/secret', code: 'REQUIRED' },
    ]);
    expect(await put({ type: 'webhook', url: 'http://169.254.169.254/latest' })).toMatchObject({
      status: 400,
      body: { code: 'ADDRESS_BLOCKED', errors: [{ pointer: '/targets/0/url', code: 'BLOCKED' }] },
    });
    const kept = await put({ id: targetId, type: 'webhook', name: 'Data team' }, { type: 'teams', url });
    expect(kept.body.targets).toMatchObject([
      { id: targetId, name: 'Data team', hasSecret: true, headers: { Authorization: '******' } },
      { type: 'teams', hasSecret: false },
    ]);
    await sendNow(api, place);
    const bySecret = receiver.received.find(({ path: at }) => at.endsWith('/path-7d2e'));
    expect(bySecret?.headers.authorization).toBe(TOKEN);
    const rotated = await put({ id: targetId, type: 'webhook', secret: 'next-secret-44aa' });
    expect(rotated.body.targets).toMatchObject([{ id: targetId, hasSecret: true }]);
    await sendNow(api, place);
    const newest = receiver.received.at(-1)!;
    expect(newest.headers['x-service-signature-previous']).toMatch(/^sha256=/);

    const stored = await scheduleRepository(api.table, DASHBOARDS).get(api.workspaceId, id);
    const log = await api.as('owner').get('/api/audit-log?limit=100');
    expect(log.status).toBe(200);
    expect(JSON.stringify(log.body)).toContain(new URL(url).origin);
    const everything = [
      JSON.stringify(stored),
      ...[made, kept.body, rotated.body, log.body].map((each) => JSON.stringify(each)),
      JSON.stringify((await api.as('editor').get(`${place}/runs`)).body),
      JSON.stringify((await api.as('editor').get(schedules)).body),
    ].join();
    for (const secret of [SECRET, TOKEN, 'next-secret-44aa', 'path-7d2e']) expect(everything).not.toContain(secret);

    const stranger = api.as('stranger');
    for (const reply of [
      await stranger.put(place, { targets: [] }),
      await stranger.get(`${place}/runs`),
      await stranger.post(schedules, { ...body, targets: [{ type: 'webhook', url }] }),
    ])
      expect(reply).toMatchObject({ status: 404, body: { code: 'DASHBOARD_NOT_FOUND' } });
    const { caller } = await givenReader(api, { role: 'viewer' });
    expect((await caller.put(place, { targets: [] })).status).toBe(403);

    expect((await put()).body).toMatchObject({ targets: [], status: 'stopped', stopReason: 'NO_RECIPIENTS' });
    expect(await api.as('editor').post(`${place}/run`)).toMatchObject({ status: 409 });
  });
});

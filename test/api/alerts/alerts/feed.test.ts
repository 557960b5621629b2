import { describe, expect, vi } from 'vitest';
import { it } from '../../../support/api.ts';
import { evaluate, evaluateAndMail, feedOf } from '../../../support/given/alert-work.ts';
import { ALERTS, givenAlert, givenLoad, loadHosts, onLoad } from '../../../support/given/alerts.ts';
import { givenDashboard } from '../../../support/given/dashboard.ts';
import { mailsTo, mailTo } from '../../../support/given/mails.ts';
import { givenMember } from '../../../support/given/member.ts';
import { clockOf, mailWorker, notificationOf, passMinutes, tell } from '../../../support/given/notifications.ts';

const FEED = `${ALERTS}/feed`;
const MARK = `${ALERTS}/mark-read`;

describe('GET /api/dashboard-alerts/feed', () => {
  it('pages through what the caller was notified of, newest first, with other kinds if asked', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const alert = await givenAlert(api, {
      condition: onLoad(queryId, { by: { column: 'host' }, threshold: 1 }),
      severity: 'critical',
    });
    await evaluate(api, [alert], 1);
    const dashboard = await givenDashboard(api);
    const clock = clockOf(api);
    await tell(clock, notificationOf(api, clock, { dashboardId: dashboard.id }), alert.ownerId);
    const editor = api.as('editor');
    const first = (await editor.get(`${FEED}?limit=2`)).body;
    expect(first).toMatchObject({ unread: 3, nextCursor: expect.any(String) });
    const second = (await editor.get(`${FEED}?limit=2&cursor=${first.nextCursor}`)).body;
    expect(second).toMatchObject({ nextCursor: null });
    const items = [...first.items, ...second.items];
    expect(new Set(items.map(({ alert: { group } }) => group))).toEqual(new Set(['a', 'b', 'c']));
    expect(items[0]).toMatchObject({
      ...{ kind: 'alert', isUnread: true, title: alert.name, url: null, actor: null },
      alert: {
        alertId: alert.id,
        severity: 'critical',
        edge: 'fire',
        state: 'triggered',
        operator: 'gt',
        threshold: 1,
        isHidden: false,
      },
    });
    const all = (await editor.get(`${FEED}?kinds=all`)).body;
    expect(all).toMatchObject({ unread: 4 });
    expect(all.items).toHaveLength(4);
    expect(all.items.find(({ kind }: { kind: string }) => kind !== 'alert')).toMatchObject({
      ...{
        title: 'A comment',
        text: 'What was written',
        alert: null,
        subject: { type: 'dashboard', id: dashboard.id },
      },
    });
    expect(await editor.get(`${FEED}?cursor=forged`)).toMatchObject({ status: 400, body: { code: 'CURSOR_INVALID' } });
    expect(await editor.get(`${FEED}?kinds=all&cursor=${first.nextCursor}`)).toMatchObject({
      status: 400,
      body: { code: 'CURSOR_MISMATCH' },
    });
    const key = (await api.as('owner').post('/api/api-keys', { name: 'Feed', scope: 'read/write' })).body.key as string;
    expect((await api.as({ token: key }).get(FEED)).body).toEqual({ items: [], unread: 0, nextCursor: null });
    expect((await api.as({ token: key }).post(MARK)).body).toEqual({ unread: 0 });
  });

  it('keeps notifications of an alert that was deleted, without its values', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const alert = await givenAlert(api, { condition: onLoad(queryId) });
    await evaluate(api, [alert], 1);
    await api.as('editor').delete(alert.path);
    const { body } = await api.as('editor').get(FEED);
    expect(body.items).toMatchObject([{ title: alert.name, text: null, alert: null }]);
  });
});

describe('POST /api/dashboard-alerts/mark-read', () => {
  it('marks what was shown, swallows nothing that arrived since, and says what is left', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const alert = await givenAlert(api, { condition: onLoad(queryId) });
    await evaluate(api, [alert], 1);
    const editor = api.as('editor');
    const shown = (await editor.get(FEED)).body.items;
    await loadHosts(api, { a: 1 });
    await evaluate(api, [alert], 2);
    expect((await editor.post(MARK)).body).toEqual({ unread: 1 });
    const { items } = (await editor.get(FEED)).body;
    expect(items.map(({ isUnread }: { isUnread: boolean }) => isUnread)).toEqual([true, false]);
    expect((await editor.post(MARK, { upTo: shown[0].id })).body).toEqual({ unread: 1 });
    expect((await editor.post(MARK, { ids: [items[0].id] })).body).toEqual({ unread: 0 });
    expect((await editor.post(MARK)).body).toEqual({ unread: 0 });
    const both = await editor.post(MARK, { upTo: items[0].id, ids: [items[0].id] });
    expect(both).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });

  it('marks everything for a person who has never read the feed, and nothing of others', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const member = await givenMember(api);
    const channels = { inApp: { userIds: [member.userId] } };
    const alert = await givenAlert(api, { condition: onLoad(queryId), channels });
    const own = await givenAlert(api, { condition: onLoad(queryId) });
    await evaluate(api, [alert, own], 1);
    expect((await api.as(member).post(MARK, {})).body).toEqual({ unread: 0 });
    expect((await api.as('editor').get(FEED)).body).toMatchObject({ unread: 1 });
  });
});

describe('Emails of alerts', () => {
  it('gather what happens within a minute, and end with their link', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const member = await givenMember(api);
    const channels = { email: { userIds: [member.userId] } };
    const alert = await givenAlert(api, {
      condition: onLoad(queryId, { by: { column: 'host' }, threshold: 1 }),
      channels,
    });
    const other = await givenAlert(api, { condition: onLoad(queryId), channels });
    await evaluate(api, [alert, other], 1);
    const clock = clockOf(api);
    const worker = mailWorker(clock);
    await passMinutes(api, clock, worker, 3);
    expect(worker.sent).toHaveLength(1);
    const [{ mail, to }] = worker.sent as [(typeof worker.sent)[number]];
    expect(to).toBe(member.email);
    expect(mail).toMatchObject({ subject: '4 alerts', unsubscribe: { label: 'Stop emails about alerts' } });
    const texts = (mail.blocks ?? []).map((block) => JSON.stringify(block)).join(' ');
    expect(texts).toContain('It fired (c): the value is 30, which is above 1.');
    await loadHosts(api, { a: 1, b: 20, c: 30 });
    await evaluate(api, [alert], 2);
    await passMinutes(api, clock, worker, 3);
    expect(worker.sent).toHaveLength(2);
    expect(worker.sent[1]!.mail.subject).toBe(`Alert: ${alert.name}`);
  });

  it('are not sent to a person who has left the alert, or may not see its source any more', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const [leaving, removed] = [await givenMember(api), await givenMember(api)];
    const channels = { email: { userIds: [leaving.userId, removed.userId] } };
    const alert = await givenAlert(api, { condition: onLoad(queryId), channels });
    await evaluate(api, [alert], 1);
    await api.as('editor').put(alert.path, { channels: { email: { userIds: [leaving.userId] } } });
    expect((await api.as(leaving).delete(`${alert.path}/follow`)).body).toEqual({ isFollowing: false });
    const clock = clockOf(api);
    const worker = mailWorker(clock);
    await passMinutes(api, clock, worker, 3);
    expect(worker.sent.map(({ to }) => to)).toEqual([]);
    await loadHosts(api, { a: 1 });
    await evaluate(api, [alert], 2);
    expect(await feedOf(api.as(leaving))).toEqual(['fire 30']);
    expect((await api.as(leaving).put(`${alert.path}/follow`)).body).toEqual({ isFollowing: true });
    await loadHosts(api, { a: 50 });
    await evaluate(api, [alert], 3);
    expect(await feedOf(api.as(leaving))).toEqual(['fire 30', 'fire 50']);
  });

  it('reach people through the tick and the worker of mails', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const member = await givenMember(api);
    const alert = await givenAlert(api, {
      condition: onLoad(queryId),
      channels: { email: { userIds: [member.userId] } },
    });
    await evaluateAndMail(api, [alert], 1);
    await vi.waitFor(async () => expect(await mailsTo(api, member.email)).toHaveLength(1), {
      timeout: 200_000,
      interval: 2_000,
    });
    const mail = await mailTo(api, member.email);
    expect(mail.text).toContain('the value is 30, which is above 25');
    expect(mail.headers?.['List-Unsubscribe']).toContain('/unsubscribe?token=');
  });
});

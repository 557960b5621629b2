import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { listAlerts } from '../../../../functions/alerts/alerts/use-cases/find-alert.ts';
import type { AlertMessage } from '../../../../shared/domains/alerts/evaluations/index.ts';
import { memberPrincipal, readWorkspace } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { type Api, it } from '../../../support/api.ts';
import { alertWorker, feedOf } from '../../../support/given/alert-work.ts';
import { ALERTS, givenAlert, givenLoad, loadHosts, onLoad } from '../../../support/given/alerts.ts';
import { givenMember } from '../../../support/given/member.ts';

const MINUTE_MS = 60_000;

/** A worker with a clock of its own, and what it leaves to later messages. */
async function refreshWorker(api: Api) {
  const clock = { now: Date.now() };
  const worker = await alertWorker(api, { ...api.table, now: () => new Date(clock.now) } as Table);
  const sent: { message: AlertMessage; delaySeconds: number }[] = [];
  Object.assign(worker.deps, { queue: { send: async (messages: typeof sent) => void sent.push(...messages) } });
  const refresh = (datasetId: string) =>
    worker.work({
      ...{ op: 'version', workspaceId: api.workspaceId, datasetId },
      at: new Date(clock.now).toISOString(),
    });
  return { clock, worker, sent, refresh };
}

describe('An alert on a dataset with a new version every few seconds', () => {
  it('is evaluated at most every five minutes, of the newest version', async ({ api }) => {
    const { queryId, dataset } = await givenLoad(api);
    const alert = await givenAlert(api, { condition: onLoad(queryId), onRefresh: true });
    const { clock, worker, sent, refresh } = await refreshWorker(api);
    await refresh(dataset.id);
    expect(await feedOf(api.as('editor'), alert)).toEqual(['fire 30']);
    for (const load of [1, 40, 2]) {
      await loadHosts(api, { a: load });
      clock.now += 10_000;
      await refresh(dataset.id);
    }
    expect(sent).toMatchObject([{ message: { op: 'evaluate', alertIds: [alert.id] }, delaySeconds: 291 }]);
    expect(await feedOf(api.as('editor'), alert)).toEqual(['fire 30']);

    clock.now += sent[0]!.delaySeconds * 1000 - 20_000;
    await worker.work(sent[0]!.message);
    expect(await feedOf(api.as('editor'), alert)).toEqual(['fire 30', 'recover 2']);
    await loadHosts(api, { a: 50 });
    await refresh(dataset.id);
    expect(sent).toHaveLength(2);
    expect(await feedOf(api.as('editor'), alert)).toHaveLength(2);

    clock.now += 10 * MINUTE_MS;
    await refresh(dataset.id);
    expect(await feedOf(api.as('editor'), alert)).toEqual(['fire 30', 'recover 2', 'fire 50']);
    expect(sent).toHaveLength(2);
  });

  it('is evaluated once by two workers at the same time, and later by one whose first attempt died', async ({
    api,
  }) => {
    const { queryId, dataset } = await givenLoad(api);
    const alert = await givenAlert(api, { condition: onLoad(queryId), onRefresh: true });
    const { worker, sent, refresh } = await refreshWorker(api);
    await Promise.all([refresh(dataset.id), refresh(dataset.id)]);
    expect(await feedOf(api.as('editor'), alert)).toEqual(['fire 30']);
    expect(sent.length).toBeLessThanOrEqual(1);

    const other = await givenAlert(api, { condition: onLoad(queryId), onRefresh: true });
    const dying = await refreshWorker(api);
    Object.assign(dying.worker.deps, {
      states: { ...dying.worker.deps.states, read: () => Promise.reject(new Error('killed')) },
    });
    await expect(dying.refresh(dataset.id)).rejects.toThrow();
    sent.length = 0;
    await refresh(dataset.id);
    const again = sent.find(({ message }) => message.op === 'evaluate' && message.alertIds.includes(other.id));
    expect(again).toMatchObject({ delaySeconds: expect.any(Number) });
    await worker.work(again!.message);
    expect(await feedOf(api.as('editor'), other)).toEqual(['fire 30']);
  });
});

describe('POST /api/dashboard-alerts/preview', () => {
  it('is answered ten times a minute for each person', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const [busy, other] = [await givenMember(api), await givenMember(api)];
    const preview = (person: typeof busy) =>
      api.as(person).post(`${ALERTS}/preview`, { condition: onLoad(queryId), last: 1 });
    // The limit is that of a clock minute, which may end in between.
    const replies = await Promise.all(Array.from({ length: 21 }, () => preview(busy)));
    const refused = replies.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const reply of refused) {
      expect(reply).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
      expect(Number(reply.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    }
    expect(replies.length - refused.length).toBeGreaterThanOrEqual(10);
    expect((await preview(other)).status).toBe(200);
  });
});

describe('GET /api/dashboard-alerts', () => {
  it('reads the groups of the caller once, however many alerts name groups', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const member = await givenMember(api);
    const { body: group } = await api.as('owner').post('/api/groups', { name: 'On call' });
    expect((await api.as('owner').put(`/api/groups/${group.id}/members/${member.userId}`)).status).toBeLessThan(300);
    const channels = { inApp: { groupIds: [group.id] } };
    for (let count = 0; count < 5; count++) await givenAlert(api, { condition: onLoad(queryId), channels });
    let reads = 0;
    const db = {
      send: (command: object) => {
        const values = command instanceof QueryCommand ? JSON.stringify(command.input.ExpressionAttributeValues) : '';
        if (values.includes(`#USER-GROUP#${member.userId}`)) reads += 1;
        return api.table.db.send(command as never);
      },
    };
    const table = { ...api.table, db } as unknown as Table;
    const { deps } = await alertWorker(api, table);
    const { companyId } = (await readWorkspace(api.table, api.workspaceId))!;
    const place = { workspaceId: api.workspaceId, companyId, userId: member.userId };
    const principal = (await memberPrincipal(api.table, place))!;
    const listed = { ...deps.reading, table, alerts: deps.alerts, states: deps.states } as never;
    const { items } = await listAlerts(listed, principal, { limit: 50, offset: 0 });
    expect(items.map(({ isRecipient }) => isRecipient)).toEqual([true, true, true, true, true]);
    expect(reads).toBe(1);
    expect((await api.as(member).get(ALERTS)).body.total).toBe(5);
  });
});

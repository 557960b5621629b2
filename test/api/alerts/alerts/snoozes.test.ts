import { describe, expect, vi } from 'vitest';
import { snoozeForPerson } from '../../../../shared/domains/alerts/evaluations/index.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { type Api, it } from '../../../support/api.ts';
import { alertWorker, evaluate, feedOf } from '../../../support/given/alert-work.ts';
import { ALERTS, givenAlert, givenLoad, loadHosts, onLoad } from '../../../support/given/alerts.ts';
import { killedAt } from '../../../support/given/killed.ts';
import { givenMember } from '../../../support/given/member.ts';
import { givenProtected, givenReader, setAttributes } from '../../../support/given/protected.ts';

const soon = (minutes = 60) => new Date(Date.now() + minutes * 60_000).toISOString();

const textsOf = async (api: Api, person: Parameters<Api['as']>[0]): Promise<string[]> =>
  (await api.as(person).get(`${ALERTS}/feed`)).body.items.map(({ text }: { text: string }) => text).reverse();

describe('An alert that was snoozed for everyone', () => {
  it('is evaluated when the snooze ends, also without a schedule and new data, and sums up what happened', async ({
    api,
  }) => {
    const { queryId } = await givenLoad(api);
    const alert = await givenAlert(api, { condition: onLoad(queryId) });
    const until = soon();
    await api.as('editor').put(`${alert.path}/snooze`, { until });
    for (const [index, load] of [30, 1, 40, 2].entries()) {
      await loadHosts(api, { a: load });
      await evaluate(api, [alert], index + 1);
    }
    expect(await feedOf(api.as('editor'))).toEqual([]);
    const stored = await api.stored(workspaceKey(api.workspaceId, 'ALERT', alert.id));
    expect(stored).toMatchObject({ due: expect.stringContaining('alert#'), dueAt: until });
    const { work } = await alertWorker(api);
    await work({ op: 'due', workspaceId: api.workspaceId, at: until });
    await work({ op: 'due', workspaceId: api.workspaceId, at: until });
    expect(await textsOf(api, 'editor')).toEqual([
      'While it was snoozed, it fired twice and recovered twice. It is back to normal.',
    ]);
  });

  it('sums up as soon as the snooze is ended by hand', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const alert = await givenAlert(api, { condition: onLoad(queryId), repeat: { every: 'PT15M' } });
    await evaluate(api, [alert], 1);
    await api.as('editor').put(`${alert.path}/snooze`, { until: soon() });
    await evaluate(api, [alert], 30);
    await api.as('editor').put(`${alert.path}/snooze`, { until: null });
    await vi.waitFor(async () => expect(await feedOf(api.as('editor'))).toEqual(['fire 30', 'woke 30']), {
      timeout: 60_000,
      interval: 200,
    });
    expect((await textsOf(api, 'editor'))[1]).toBe(
      'While it was snoozed, the condition was still met: the value is 30, which is above 25.',
    );
  });
});

describe('A person who has snoozed an alert', () => {
  async function givenSnoozed(api: Api) {
    const { queryId } = await givenLoad(api);
    const [silent, other] = [await givenMember(api), await givenMember(api)];
    const channels = { inApp: { userIds: [other.userId] }, email: { userIds: [silent.userId] } };
    const alert = await givenAlert(api, { condition: onLoad(queryId), channels });
    const place = { workspaceId: api.workspaceId, id: alert.id };
    const snooze = (until: string | null) => snoozeForPerson(api.table, place, silent.userId, until);
    const woke = { op: 'woke', workspaceId: api.workspaceId, alertId: alert.id, userId: silent.userId } as const;
    return { alert, silent, other, snooze, woke };
  }

  it('gets one summary afterwards, and hears of the recovery of what it reports', async ({ api }) => {
    const { alert, silent, other, woke } = await givenSnoozed(api);
    const { work } = await alertWorker(api);
    expect((await api.as(silent).put(`${alert.path}/snooze`, { until: soon() })).status).toBe(200);
    for (const [index, load] of [30, 1, 40].entries()) {
      await loadHosts(api, { a: load });
      await evaluate(api, [alert], index + 1);
    }
    // The snooze is not over.
    await work(woke);
    expect(await feedOf(api.as(silent))).toEqual([]);
    expect(await feedOf(api.as(other))).toEqual(['fire 30', 'recover 1', 'fire 40']);
    expect((await api.as(silent).put(`${alert.path}/snooze`, { until: null })).status).toBe(200);
    await vi.waitFor(async () => expect(await feedOf(api.as(silent))).toEqual(['woke 40']), {
      timeout: 60_000,
      interval: 200,
    });
    await work(woke);
    expect(await textsOf(api, silent)).toEqual([
      'While it was snoozed, it fired twice and recovered once: the value is 40, which is above 25.',
    ]);
    await loadHosts(api, { a: 2 });
    await evaluate(api, [alert], 4);
    expect(await feedOf(api.as(silent))).toEqual(['woke 40', 'recover 2']);
    expect(await feedOf(api.as(other))).toHaveLength(4);
  });

  it('gets nothing where nothing happened, or after snoozing it again', async ({ api }) => {
    const { alert, silent, snooze, woke } = await givenSnoozed(api);
    const { work } = await alertWorker(api);
    await snooze(soon());
    await snooze(null);
    await work(woke);
    expect(await feedOf(api.as(silent))).toEqual([]);
    await snooze(soon());
    await evaluate(api, [alert], 1);
    await snooze(soon(120));
    await work(woke);
    expect(await feedOf(api.as(silent))).toEqual([]);
    await snooze(null);
    await work(woke);
    expect(await feedOf(api.as(silent))).toEqual(['woke 30']);
  });

  it('gets one summary at whichever write the worker is killed', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const { userId, ...silent } = await givenMember(api);
    const place = { workspaceId: api.workspaceId };
    const whole = await alertWorker(api);
    let total = 1;
    for (let write = 0; write <= total; write++)
      for (const isAfter of [false, true]) {
        const alert = await givenAlert(api, { condition: onLoad(queryId), channels: { inApp: { userIds: [userId] } } });
        await snoozeForPerson(api.table, { ...place, id: alert.id }, userId, soon());
        await whole.evaluateAt([alert], 1);
        await snoozeForPerson(api.table, { ...place, id: alert.id }, userId, null);
        const woke = { op: 'woke', ...place, alertId: alert.id, userId } as const;
        const { table, count } = killedAt(api, { write: write || Number.POSITIVE_INFINITY, isAfter });
        await (await alertWorker(api, table)).work(woke).catch(() => undefined);
        if (write === 0) total = count();
        await whole.work(woke);
        expect(await feedOf(api.as(silent), alert), `write ${write}`).toEqual(['woke 30']);
      }
    expect(total).toBeGreaterThan(3);
  });

  it('gets the notification if the snooze ends while a worker reads it', async ({ api }) => {
    const { alert, silent, snooze, woke } = await givenSnoozed(api);
    await snooze(soon());
    let hasEnded = false;
    const db = {
      async send(command: { constructor: { name: string }; input: { Key?: { pk: string } } }) {
        // The read that precedes the mark of what was missed.
        if (!hasEnded && command.constructor.name === 'GetCommand' && command.input.Key?.pk.includes('ALERT-SNOOZE')) {
          hasEnded = true;
          await snooze(null);
          await (await alertWorker(api)).work(woke);
        }
        return api.table.db.send(command as never);
      },
    };
    await (await alertWorker(api, { ...api.table, db } as unknown as Table)).evaluateAt([alert], 1);
    expect(hasEnded).toBe(true);
    expect(await feedOf(api.as(silent))).toEqual(['fire 30']);
  });

  it('gets no summary of rows that they may not see any more', async ({ api }) => {
    const { dataset } = await givenProtected(api);
    const reader = await givenReader(api, { role: 'viewer', attributes: { region: 'eu' } });
    const author = await givenReader(api, { attributes: { region: 'eu' } });
    const condition = {
      ...{ kind: 'field', source: { kind: 'dataset', id: dataset.id }, column: 'id', reduce: 'sum' },
      ...{ operator: 'gt', threshold: 0 },
    };
    const channels = { inApp: { userIds: [reader.userId] } };
    const alert = await givenAlert(api, { condition, channels }, author.caller);
    const place = { workspaceId: api.workspaceId, id: alert.id };
    await snoozeForPerson(api.table, place, reader.userId, soon());
    await evaluate(api, [alert], 1);
    await setAttributes(api, reader.userId, { region: 'us' });
    await snoozeForPerson(api.table, place, reader.userId, null);
    const { work } = await alertWorker(api);
    await work({ op: 'woke', workspaceId: api.workspaceId, alertId: alert.id, userId: reader.userId });
    expect(await feedOf(api.as(reader))).toEqual([]);
  });
});

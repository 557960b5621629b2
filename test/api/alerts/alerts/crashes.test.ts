import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { itemsBelow } from '../../../../shared/platform/storage/query-items.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { type Api, it } from '../../../support/api.ts';
import { alertWorker, feedOf, firedEvents, instant } from '../../../support/given/alert-work.ts';
import { ALERTS, givenAlert, givenLoad, onLoad } from '../../../support/given/alerts.ts';
import { killedAt } from '../../../support/given/killed.ts';
import { givenMember } from '../../../support/given/member.ts';

describe('A worker that is killed at any write', () => {
  it('leaves the alert so that the next one ends with one notification for each person and one event', async ({
    api,
  }) => {
    const { queryId } = await givenLoad(api);
    const [reader, mailed] = [await givenMember(api), await givenMember(api)];
    const channels = { inApp: { userIds: [reader.userId] }, email: { userIds: [mailed.userId] }, event: true };
    const given = () => givenAlert(api, { condition: onLoad(queryId), channels });
    const whole = await given();
    const counting = killedAt(api, { write: Number.POSITIVE_INFINITY, isAfter: false });
    await (await alertWorker(api, counting.table)).evaluateAt([whole], 1);
    const total = counting.count();
    expect(total).toBeGreaterThan(4);
    const alerts = [whole];
    for (let write = 1; write <= total; write++) {
      for (const isAfter of [false, true]) {
        const alert = await given();
        alerts.push(alert);
        const { table } = killedAt(api, { write, isAfter });
        const killed = await alertWorker(api, table);
        await killed.evaluateAt([alert], 1).catch(() => undefined);
        await (await alertWorker(api)).evaluateAt([alert], 1);
      }
    }
    const ids = (await firedEvents(api)).map(({ alertId }) => alertId);
    expect(ids.toSorted()).toEqual(alerts.map(({ id }) => id).toSorted());
    for (const person of [reader, mailed]) {
      const caller = api.as(person);
      for (const alert of alerts) expect(await feedOf(caller, alert), alert.path).toEqual(['fire 30']);
    }
  });
});

describe('An alert that is deleted while a worker evaluates it', () => {
  /** The worker goes on once the alert is deleted, when it is about to make its nth write. */
  async function deletedBefore(api: Api, nthWrite: number) {
    const { queryId } = await givenLoad(api);
    const alert = await givenAlert(api, { condition: onLoad(queryId), channels: { event: false } });
    let writes = 0;
    const db = {
      send: async (command: { constructor: { name: string } }) => {
        const isWrite = /^(Put|Update|TransactWrite)/.test(command.constructor.name);
        if (isWrite && ++writes === nthWrite) expect((await api.as('editor').delete(alert.path)).status).toBe(204);
        return api.table.db.send(command as never);
      },
    };
    const worker = await alertWorker(api, { ...api.table, db } as unknown as Table);
    await worker.evaluateAt([alert], 1);
    return { alert, worker, writes: () => writes, place: { workspaceId: api.workspaceId, alertId: alert.id } };
  }

  it('keeps neither a state nor notices, at whichever write', async ({ api }) => {
    const whole = await deletedBefore(api, Number.POSITIVE_INFINITY);
    expect(await whole.worker.deps.states.list(whole.place)).toHaveLength(1);
    expect(whole.writes()).toBeGreaterThan(2);
    for (let write = 1; write <= whole.writes(); write++) {
      const { place, worker } = await deletedBefore(api, write);
      expect(await worker.deps.states.list(place), `before write ${write}`).toEqual([]);
      for (const area of ['ALERT-NOTICE', 'ALERT-HISTORY']) {
        const { pk } = workspaceKey(api.workspaceId, `${area}#${place.alertId}`, '');
        expect(await Array.fromAsync(itemsBelow(api.table, { pk, sk: '' })), `${area} before write ${write}`).toEqual(
          [],
        );
      }
    }
  });

  it('ends the messages of the tick about a state that it had left', async ({ api }) => {
    const { place, worker } = await deletedBefore(api, Number.POSITIVE_INFINITY);
    const [left] = await worker.deps.states.list(place);
    expect((await api.as('editor').delete(`${ALERTS}/${place.alertId}`)).status).toBe(204);
    const Item = { ...left, ...workspaceKey(api.workspaceId, `ALERT-STATE#${place.alertId}`, left!.classKey) };
    await api.table.db.send(new PutCommand({ TableName: api.table.name, Item: { ...Item, groups: {}, notices: {} } }));
    await worker.work({ op: 'notices', ...place, classKey: left!.classKey });
    expect(await worker.deps.states.list(place)).toEqual([]);
  });
});

describe('An alert whose condition changes while a worker evaluates it', () => {
  it('is evaluated for the instant as it is then', async ({ api }) => {
    const { queryId } = await givenLoad(api);
    const alert = await givenAlert(api, { condition: onLoad(queryId, { threshold: 5 }) });
    const worker = await alertWorker(api);
    const { write } = worker.deps.states;
    let writes = 0;
    const late: typeof write = async (...given) => {
      if (++writes === 1) await api.as('editor').put(alert.path, { condition: onLoad(queryId, { threshold: 100 }) });
      return write(...given);
    };
    Object.assign(worker.deps, { states: { ...worker.deps.states, write: late } });
    await worker.evaluateAt([alert], 1);
    expect((await api.as('editor').get(alert.path)).body).toMatchObject({ state: 'ok', evaluatedAt: instant(1) });
    expect(await feedOf(api.as('editor'), alert)).toEqual([]);
  });
});

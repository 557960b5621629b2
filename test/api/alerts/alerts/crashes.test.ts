import { describe, expect } from 'vitest';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { type Api, it } from '../../../support/api.ts';
import { alertWorker, feedOf, firedEvents } from '../../../support/given/alert-work.ts';
import { givenAlert, givenLoad, onLoad } from '../../../support/given/alerts.ts';
import { givenMember } from '../../../support/given/member.ts';

/** A table whose writes fail from the given one on, before or after they were made, as if the worker were killed. */
function killedAt(api: Api, kill: { write: number; isAfter: boolean }) {
  let writes = 0;
  const db = {
    send: async (command: { constructor: { name: string } }) => {
      const isWrite = /^(Put|Update|Delete|TransactWrite|BatchWrite)/.test(command.constructor.name);
      if (!isWrite) return api.table.db.send(command as never);
      writes += 1;
      if (writes > kill.write || (writes === kill.write && !kill.isAfter)) throw new Error('killed');
      const reply = await api.table.db.send(command as never);
      if (writes === kill.write) throw new Error('killed');
      return reply;
    },
  };
  return { table: { ...api.table, db } as unknown as Table, count: () => writes };
}

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

import { expect, it } from 'vitest';
import {
  DASHBOARDS,
  type DashboardSchedule,
  type StoredScheduleMail,
  scheduleCleanUps,
  scheduleRepository,
  sentStates,
} from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import { deliveryArea, deliveryRuns } from '../../../../shared/domains/delivery/deliveries/index.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { itemsBelow } from '../../../../shared/platform/storage/query-items.ts';
import { useLocalTable } from '../../../support/local-table.ts';

const local = useLocalTable();
const workspaceId = newId();
const place = { workspaceId, deliveryId: newId() };
const run = { ...place, runId: newId() };
const userId = newId();

const mail: StoredScheduleMail = {
  ...{ userId, status: 'skipped', reason: 'UNCHANGED', sentAt: null },
  ...{ cardCount: 1, failedCardCount: 0, file: null, error: null },
};

it('a mail and what its recipient was sent are stored together, and once', async () => {
  const table = local.open();
  const states = sentStates(table, DASHBOARDS);
  const runs = deliveryRuns<StoredScheduleMail>(table, DASHBOARDS);
  const sent = { ...place, userId };
  expect(await states.read(sent)).toBeUndefined();
  const write = (digest: string) => runs.createMail(run, mail, new Date(), [states.item(sent, digest)]);
  expect(await write('first')).toBe(true);
  expect(await write('of a worker that came second'), 'the same mail').toBe(false);
  expect(await states.read(sent)).toBe('first');
});

it('the schedules of a dashboard that was purged are removed with their runs, step by step', async () => {
  const table = local.open();
  const schedules = scheduleRepository(table, DASHBOARDS);
  const dashboardId = newId();
  const at = new Date().toISOString();
  const owner = { userId, membershipId: newId() };
  const schedule = (name: string): DashboardSchedule => ({
    ...{ id: newId(), workspaceId, dashboardId, name, cron: '@daily', timezone: 'UTC', isActive: true },
    ...{ format: null, condition: 'always', filters: [], pageId: null, owner, recipients: [owner] },
    ...{ apiUrl: 'https://example.com/api', createdBy: userId, updatedBy: userId },
    ...{ createdAt: at, updatedAt: at, revision: 1 },
  });
  const [one, other] = [schedule('One'), schedule('Other')];
  for (const each of [one, other]) await schedules.create(each, []);
  const runOfOne = { workspaceId, deliveryId: one.id, runId: newId() };
  await deliveryRuns<StoredScheduleMail>(table, DASHBOARDS).createMail(runOfOne, mail, new Date());

  let checks = 0;
  const ended = { kind: 'dashboard', workspaceId, dashboardId } as const;
  const [{ remove }] = scheduleCleanUps;
  const never = () => Promise.reject(new Error('nothing else ends'));
  expect(await remove(table, ended, () => checks++ > 1, never)).toBe(false);
  expect(await remove(table, ended, () => false, never)).toBe(true);
  expect(await schedules.ofObject(workspaceId, dashboardId)).toEqual([]);
  expect(await Array.fromAsync(itemsBelow(table, deliveryArea(DASHBOARDS, runOfOne)))).toEqual([]);
  await schedules.create({ ...schedule('One'), id: newId() }, []);
});

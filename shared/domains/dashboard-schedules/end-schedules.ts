import { deleteItems } from '../../platform/storage/delete-items.ts';
import { itemsBelow } from '../../platform/storage/query-items.ts';
import type { Table } from '../../platform/storage/table.ts';
import { type DashboardPlace, dashboardRepository } from '../dashboards/index.ts';
import { type DeliveryPlace, deliveryArea } from '../deliveries/index.ts';
import { DASHBOARDS } from './records.ts';
import { scheduleRepository } from './repository.ts';

/** Removes the schedules of a dashboard that was purged. Returns false if some are left once `isOver` is true. */
export async function endSchedules(
  table: Table,
  { workspaceId, dashboardId }: DashboardPlace,
  isOver: () => boolean,
): Promise<boolean> {
  if (await dashboardRepository(table).get(workspaceId, dashboardId)) return true;
  const schedules = scheduleRepository(table);
  for (const schedule of await schedules.ofDashboard(workspaceId, dashboardId)) {
    if (isOver() || !(await endRuns(table, { workspaceId, deliveryId: schedule.id }, isOver))) return false;
    await schedules.purge(schedule);
  }
  return true;
}

/** What a deleted schedule leaves: its runs, mails and what was sent last. */
export async function endRuns(table: Table, place: DeliveryPlace, isOver: () => boolean): Promise<boolean> {
  const items = itemsBelow(table, deliveryArea(DASHBOARDS, place));
  const keys = await Array.fromAsync(items, ({ pk, sk }) => ({ pk: pk as string, sk: sk as string }));
  return deleteItems(table, keys, isOver);
}

import {
  checkScanConfig,
  findTable,
  ofTable,
  readCron,
  type ScanSchedule,
  type ScanScheduleRepository,
  type StoredScanSchedule,
  showScanSchedule,
  type TableDeps,
  tableKey,
  tableOf,
} from '../../../../shared/domains/quality/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { PageOf } from '../../../../shared/platform/storage/page.ts';
import type { Named } from '../use-cases/context.ts';
import type { CreateScanSchedule, ScanScheduleQuery, UpdateScanSchedule } from './schemas.ts';

interface Deps extends TableDeps {
  scanSchedules: ScanScheduleRepository;
  now(): Date;
}

interface Saving {
  id: string;
  principal: Principal;
}

const MAX_SCHEDULES = 1000;

export async function listScanSchedules(
  { scanSchedules, now }: Deps,
  workspaceId: string,
  { tableName, scheduleEnabled, ...request }: ScanScheduleQuery,
): Promise<PageOf<ScanSchedule>> {
  const isFiltered = tableName !== undefined || scheduleEnabled !== undefined;
  const isOf = ofTable(tableName);
  const matches = (record: StoredScanSchedule) =>
    (isOf?.(record) ?? true) &&
    (scheduleEnabled === undefined || (record.schedule?.enabled === true) === scheduleEnabled);
  const page = await scanSchedules.list(workspaceId, { ...request, ...(isFiltered && { matches }) });
  return { ...page, items: page.items.map((record) => showScanSchedule(record, now())) };
}

async function findSchedule({ scanSchedules }: Deps, { workspaceId, id }: Named): Promise<StoredScanSchedule> {
  const found = await scanSchedules.get(workspaceId, id);
  if (!found) throw new AppError('QUALITY_SCAN_SCHEDULE_NOT_FOUND');
  return found;
}

export async function getScanSchedule(deps: Deps, named: Named): Promise<ScanSchedule> {
  return showScanSchedule(await findSchedule(deps, named), deps.now());
}

/** Throws `QUALITY_SCAN_SCHEDULE_EXISTS`, `TOO_MANY_SCAN_SCHEDULES`, and what does not fit the table. */
export async function createScanSchedule(
  deps: Deps,
  { id, principal, given }: Saving & { given: CreateScanSchedule },
): Promise<ScanSchedule> {
  const { workspaceId, userId } = principal;
  const { total } = await deps.scanSchedules.list(workspaceId, { limit: 1, offset: 0 });
  if (total >= MAX_SCHEDULES) throw new AppError('TOO_MANY_SCAN_SCHEDULES');
  const { config, cron, timezone, scheduleEnabled, ...named } = given;
  const table = await findTable(deps, workspaceId, named);
  checkScanConfig(config, table);
  const at = deps.now().toISOString();
  const record: StoredScanSchedule = {
    ...{ id, workspaceId, ...tableOf(table), tableKey: tableKey(table), config },
    schedule: validSchedule(null, { cron, timezone, scheduleEnabled }),
    createdBy: userId,
    updatedBy: userId,
    createdAt: at,
    updatedAt: at,
    revision: 1,
  };
  return showScanSchedule(await deps.scanSchedules.create(record), deps.now());
}

/** A new configuration has to fit the table. */
export function updateScanSchedule(
  deps: Deps,
  { id, principal, change }: Saving & { change: UpdateScanSchedule },
): Promise<ScanSchedule> {
  const { workspaceId, userId } = principal;
  return onNewest('STALE_WRITE', async () => {
    const before = await findSchedule(deps, { workspaceId, id });
    const { config = before.config, ...cron } = change;
    if (change.config) checkScanConfig(config, await findTable(deps, workspaceId, before));
    const next: StoredScanSchedule = {
      ...before,
      config,
      schedule: validSchedule(before.schedule, cron),
      updatedBy: userId,
      updatedAt: later(before.updatedAt, deps.now()),
    };
    return showScanSchedule(await deps.scanSchedules.replace(before, next, 'STALE_WRITE'), deps.now());
  });
}

function validSchedule(current: StoredScanSchedule['schedule'] | null, given: Parameters<typeof readCron>[1]) {
  const { schedule, issues: errors } = readCron(current, given);
  if (!schedule) throw new AppError('VALIDATION_FAILED', { errors });
  return schedule;
}

export function deleteScanSchedule(deps: Deps, named: Named): Promise<void> {
  return onNewest('STALE_WRITE', async () => deps.scanSchedules.remove(await findSchedule(deps, named), 'STALE_WRITE'));
}

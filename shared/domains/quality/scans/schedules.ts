import type { Static } from 'typebox';
import * as Type from 'typebox';
import { auditedRecords } from '../../../platform/audit/records.ts';
import { FormerMember } from '../../../platform/http/former-names.ts';
import { Id, Nullable, Revision, Timestamp } from '../../../platform/http/schemas.ts';
import type { NewJob } from '../../../platform/jobs/jobs.ts';
import { scheduleAttributes } from '../../../platform/jobs/schedule.ts';
import { isInstantOf, nextInstant, type Schedule } from '../../../platform/schedule/schedule.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { cronProperties, showCron } from '../cron-schedule.ts';
import { nameOfTable } from '../table.ts';
import { tableOf, testProperties } from '../tests/records.ts';
import { queuedScan, ScanConfig, type StoredScan } from './records.ts';

export const ScanSchedule = Type.Object(
  {
    id: Id,
    workspaceId: Id,
    sourceId: testProperties.sourceId,
    schemaName: testProperties.schemaName,
    tableName: testProperties.tableName,
    config: ScanConfig,
    ...cronProperties,
    scheduleCron: FormerMember('cron', cronProperties.cron),
    scheduleTimezone: FormerMember('timezone', cronProperties.timezone),
    nextScanAt: Nullable(Timestamp),
    createdBy: Id,
    updatedBy: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    revision: Revision,
  },
  { $id: 'DataQualityScanSchedule', description: 'When a table is scanned. A table has one schedule at most.' },
);
export type ScanSchedule = Static<typeof ScanSchedule>;

/** As stored: the schedule in the form that the minute tick reads, and the key of the table. */
export interface StoredScanSchedule extends Omit<ScanSchedule, keyof ReturnType<typeof showCron> | 'nextScanAt'> {
  schedule: Schedule;
  tableKey: string;
}

export type ScanScheduleRepository = Collection<StoredScanSchedule>;

export const scanScheduleRepository = (table: Table): ScanScheduleRepository =>
  collection<StoredScanSchedule>(table, {
    entity: 'quality-scan-schedule',
    versioned: true,
    unique: { of: (record) => record.tableKey, taken: 'QUALITY_SCAN_SCHEDULE_EXISTS' },
    attributes: ({ id, schedule, updatedAt }) => scheduleAttributes(id, schedule, new Date(updatedAt)),
    logs: auditedRecords<StoredScanSchedule>(table, {
      subject: 'quality_scan_schedule',
      name: nameOfTable,
      members: { sourceId: 'shown', schemaName: 'shown', tableName: 'shown', config: 'shown', schedule: 'shown' },
    }),
  });

export function showScanSchedule({ schedule, tableKey: _key, ...record }: StoredScanSchedule, now: Date): ScanSchedule {
  const { cron } = schedule;
  const next = nextInstant(schedule, now);
  return {
    ...record,
    ...showCron(schedule),
    cron: cron!,
    scheduleCron: cron!,
    nextScanAt: next?.toISOString() ?? null,
  };
}

/** The job of a scheduled scan. Its input is what the scan reads, as the schedule had it at the instant. */
type ScheduledScan = Pick<StoredScan, 'sourceId' | 'schemaName' | 'tableName' | 'config' | 'createdBy'>;

/** The scan that is due at the instant; undefined if the table has no schedule with it any more. */
export async function dueScan(
  schedules: Pick<ScanScheduleRepository, 'find'>,
  { workspaceId, subjectId, scheduledAt }: { workspaceId: string; subjectId: string; scheduledAt: Date },
): Promise<ScheduledScan | undefined> {
  const found = await schedules.find(workspaceId, subjectId);
  if (!found || !isInstantOf(found.schedule, scheduledAt)) return undefined;
  return { ...tableOf(found), config: found.config, createdBy: found.updatedBy };
}

/** The record of a scheduled scan, which is stored with its job. */
export function scanOfJob({ id, workspaceId, input }: NewJob, at: Date): StoredScan {
  const { config, createdBy, ...place } = input as unknown as ScheduledScan;
  return queuedScan({ id, workspaceId, ...place, modelId: null, tableId: null, config, createdBy }, at);
}

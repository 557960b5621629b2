import type { Static } from 'typebox';
import * as Type from 'typebox';
import { cronProperties, ScanConfig, ScanSchedule, testProperties } from '../../../../shared/domains/quality/index.ts';
import { FormerName } from '../../../../shared/platform/http/former-names.ts';
import { idParams, Page, SortedListQuery } from '../../../../shared/platform/http/schemas.ts';
import { TableName } from '../scans/schemas.ts';

export const ScanScheduleParams = idParams('schedule of scans');

export const ScanSchedulePage = Page(ScanSchedule);

export const ScanScheduleQuery = Type.Object({
  ...SortedListQuery.properties,
  scheduleEnabled: Type.Optional(Type.Boolean({ description: 'Only schedules that are enabled, or only the others.' })),
  tableName: Type.Optional(
    Type.Unsafe<string>({ ...TableName, description: 'Only schedules of this dataset, or `schema.table`.' }),
  ),
});
export type ScanScheduleQuery = Static<typeof ScanScheduleQuery>;

const { cron, scheduleEnabled, timezone } = cronProperties;
const formerNames = { scheduleCron: FormerName('cron', cron), scheduleTimezone: FormerName('timezone', timezone) };

export const CreateScanSchedule = Type.Object(
  {
    tableName: TableName,
    sourceId: Type.Optional(testProperties.sourceId),
    schemaName: Type.Optional(testProperties.schemaName),
    config: Type.Unsafe<ScanConfig>({ ...ScanConfig, default: {} }),
    cron,
    timezone: Type.Unsafe<string>({ ...timezone, default: 'UTC' }),
    scheduleEnabled: Type.Unsafe<boolean>({ ...scheduleEnabled, default: true }),
    ...formerNames,
  },
  { $id: 'CreateDataQualityScanSchedule', description: 'The table to scan, and when.' },
);
export type CreateScanSchedule = Static<typeof CreateScanSchedule>;

export const UpdateScanSchedule = Type.Object(
  {
    config: Type.Optional(ScanConfig),
    cron: Type.Optional(cron),
    timezone: Type.Optional(timezone),
    scheduleEnabled: Type.Optional(scheduleEnabled),
    ...formerNames,
  },
  { $id: 'UpdateDataQualityScanSchedule', description: 'Fields to change; omitted fields keep their values.' },
);
export type UpdateScanSchedule = Static<typeof UpdateScanSchedule>;

import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS, page } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const given = {
  tableName: 'orders',
  config: { topK: 10 },
  cron: '0 5 * * *',
  timezone: 'Europe/Berlin',
};

const schedule = {
  id: IDS.qualityScanSchedule,
  workspaceId: IDS.workspace,
  sourceId: 'datasets',
  schemaName: '',
  ...given,
  ...{ scheduleCron: given.cron, scheduleTimezone: given.timezone },
  scheduleEnabled: true,
  nextScanAt: '2026-01-13T04:00:00.000Z',
  createdBy: IDS.user,
  updatedBy: IDS.user,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  revision: 1,
};

export const examples: ExamplesOf<typeof routes> = {
  listScanSchedules: { reply: page([schedule]) },
  createScanSchedule: { request: given, reply: schedule },
  getScanSchedule: { reply: schedule },
  updateScanSchedule: {
    request: { scheduleEnabled: false },
    reply: { ...schedule, scheduleEnabled: false, nextScanAt: null, updatedAt: CHANGED_AT, revision: 2 },
  },
  deleteScanSchedule: {},
};

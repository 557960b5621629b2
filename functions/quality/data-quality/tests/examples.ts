import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS, page } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const given = {
  name: 'Orders have a plausible amount',
  testType: 'value_range',
  targetType: 'source_table',
  tableName: 'orders',
  columnName: 'amount',
  config: { min: 0, max: 100_000, warnAt: 0.1, failAt: 1 },
  cron: '0 6 * * *',
  timezone: 'Europe/Berlin',
  severity: 'high',
};

const test = {
  id: IDS.qualityTest,
  workspaceId: IDS.workspace,
  description: '',
  ...given,
  ...{ scheduleCron: given.cron, scheduleTimezone: given.timezone },
  sourceId: 'datasets',
  schemaName: '',
  modelId: null,
  tableId: null,
  fieldId: null,
  scheduleEnabled: true,
  runOnSync: false,
  isActive: true,
  createdBy: IDS.user,
  updatedBy: IDS.user,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  revision: 1,
};

export const examples: ExamplesOf<typeof routes> = {
  listQualityTests: { reply: page([test]) },
  createQualityTest: { request: given, reply: test },
  getQualityTest: { reply: test },
  updateQualityTest: {
    request: { runOnSync: true },
    reply: { ...test, runOnSync: true, updatedAt: CHANGED_AT, revision: 2 },
  },
  deleteQualityTest: {},
};

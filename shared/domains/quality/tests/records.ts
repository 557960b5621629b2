import type { Static } from 'typebox';
import * as Type from 'typebox';
import { columnsOf, type QualityTest, SEVERITIES, TEST_TYPES } from '../../../data/quality/tests.ts';
import { FormerMember } from '../../../platform/http/former-names.ts';
import { Id, Name, Nullable, Revision, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';
import type { Schedule } from '../../../platform/schedule/schedule.ts';
import { DATASETS } from '../../semantics/models/index.ts';
import { cronProperties, showCron } from '../cron-schedule.ts';
import type { CheckedTable } from '../table.ts';

export const TARGET_TYPES = ['source_table', 'model_field'] as const;

const SourceId = Type.String({
  anyOf: [{ type: 'string', format: 'uuid' }, { const: DATASETS }],
  maxLength: 64,
  description: 'The data source of the table; `datasets` for a dataset.',
});

export const testProperties = {
  name: Type.Unsafe<string>({ ...Name, description: 'Unique within the workspace; case does not matter.' }),
  description: Type.String({ maxLength: 2000 }),
  testType: StringEnum(TEST_TYPES),
  targetType: StringEnum(TARGET_TYPES, {
    description: 'Whether the test names a table and its column, or a field of a model.',
  }),
  sourceId: Type.Unsafe<string>(SourceId),
  schemaName: Type.String({ maxLength: 255, description: 'Empty for a dataset.' }),
  tableName: Type.String({ minLength: 1, maxLength: 1024, description: 'A dataset, or a table of the data source.' }),
  columnName: Nullable(Type.String({ minLength: 1, maxLength: 255 })),
  modelId: Nullable(Id),
  tableId: Nullable(Id),
  fieldId: Nullable(Id),
  config: Type.Record(Type.String(), Type.Unknown(), {
    maxProperties: 20,
    description: 'The settings of the test type, the same as those of a quality gate.',
  }),
  ...cronProperties,
  cron: Nullable(cronProperties.cron),
  runOnSync: Type.Boolean({ description: 'Whether the test runs after each new version of its dataset.' }),
  severity: StringEnum(SEVERITIES),
  isActive: Type.Boolean({ description: 'Whether schedules, new versions and `run-all` run the test.' }),
};

const stamps = {
  createdBy: Id,
  updatedBy: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  revision: Revision,
};

export const testRecord = {
  id: Id,
  workspaceId: Id,
  ...testProperties,
  scheduleCron: FormerMember('cron', testProperties.cron),
  scheduleTimezone: FormerMember('timezone', testProperties.timezone),
  ...stamps,
};

export const QualityTestRecord = Type.Object(testRecord);
export type QualityTestRecord = Static<typeof QualityTestRecord>;

/** As stored: the schedule in the form that the minute tick reads, and the key of the table. */
export interface StoredTest extends Omit<QualityTestRecord, keyof ReturnType<typeof showCron>> {
  schedule: Schedule | null;
  tableKey: string;
}

export function showTest({ schedule, tableKey: _key, ...test }: StoredTest): QualityTestRecord {
  return { ...test, ...showCron(schedule) };
}

/** The test as the grammar of gates has it. */
export const grammarOf = ({
  testType: type,
  columnName,
  config,
}: Pick<StoredTest, 'testType' | 'columnName' | 'config'>) =>
  ({ type, column: columnName ?? undefined, config }) as unknown as QualityTest;

/** The columns that a test names, for people. */
export const columnText = (test: Pick<StoredTest, 'testType' | 'columnName' | 'config'>): string | null =>
  columnsOf(grammarOf(test)).join(', ') || null;

export const tableOf = ({ sourceId, schemaName, tableName }: CheckedTable): CheckedTable => ({
  sourceId,
  schemaName,
  tableName,
});

import type { Static } from 'typebox';
import * as Type from 'typebox';
import { SEVERITIES, TEST_TYPES } from '../../../../shared/data/quality/tests.ts';
import { TARGET_TYPES, testProperties, testRecord } from '../../../../shared/domains/quality/index.ts';
import { FormerName } from '../../../../shared/platform/http/former-names.ts';
import { shownDefinition } from '../../../../shared/platform/http/managed-by.ts';
import { Id, idParams, NamedListQuery, Page, StringEnum } from '../../../../shared/platform/http/schemas.ts';

export const TestParams = idParams('data-quality test');

export const DataQualityTest = Type.Object(
  { ...testRecord, ...shownDefinition },
  { $id: 'DataQualityTest', description: 'A rule for the rows of a table, and when it is checked.' },
);
export type DataQualityTest = Static<typeof DataQualityTest>;

export const DataQualityTestPage = Page(DataQualityTest);

export const TestListQuery = Type.Object({
  ...NamedListQuery.properties,
  tableName: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1300, description: 'Only tests of this dataset, or `schema.table`.' }),
  ),
  sourceId: Type.Optional(
    Type.Unsafe<string>({
      ...testProperties.sourceId,
      description: 'Only tests of this data source, or of `datasets`.',
    }),
  ),
  modelId: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'Only tests of fields of this model.' })),
  testType: Type.Optional(StringEnum(TEST_TYPES, { description: 'Only tests of this type.' })),
  targetType: Type.Optional(StringEnum(TARGET_TYPES, { description: 'Only tests of tables, or of fields of models.' })),
  severity: Type.Optional(StringEnum(SEVERITIES, { description: 'Only tests with this severity.' })),
  isActive: Type.Optional(Type.Boolean({ description: 'Only tests that are active, or only the others.' })),
});
export type TestListQuery = Static<typeof TestListQuery>;

const { name, ...others } = testProperties;
const { testType, targetType, severity } = others;
const { description, scheduleEnabled, cron, timezone, runOnSync, isActive, config } = others;
const formerNames = { scheduleCron: FormerName('cron', cron), scheduleTimezone: FormerName('timezone', timezone) };

const withDefault = <T>(schema: object, value: T) => Type.Unsafe<T>({ ...schema, default: value });

export const CreateTest = Type.Object(
  {
    name,
    testType,
    targetType,
    description: withDefault(description, ''),
    sourceId: Type.Optional(others.sourceId),
    schemaName: Type.Optional(others.schemaName),
    tableName: Type.Optional(others.tableName),
    columnName: Type.Optional(others.columnName),
    modelId: Type.Optional(others.modelId),
    tableId: Type.Optional(others.tableId),
    fieldId: Type.Optional(others.fieldId),
    config: withDefault<Static<typeof config>>(config, {}),
    scheduleEnabled: Type.Optional(scheduleEnabled),
    cron: Type.Optional(cron),
    timezone: withDefault(timezone, 'UTC'),
    ...formerNames,
    runOnSync: withDefault(runOnSync, false),
    severity: withDefault<Static<typeof severity>>(severity, 'medium'),
    isActive: withDefault(isActive, true),
  },
  {
    $id: 'CreateDataQualityTest',
    description:
      'A test of a table (`tableName` and, for most types, `columnName`) or of a field of a model (`modelId`, `fieldId`).',
  },
);
export type CreateTest = Static<typeof CreateTest>;

export const UpdateTest = Type.Object(
  {
    ...(Object.fromEntries(Object.entries(testProperties).map(([key, schema]) => [key, Type.Optional(schema)])) as {
      [K in keyof typeof testProperties]: Type.TOptional<(typeof testProperties)[K]>;
    }),
    ...formerNames,
  },
  { $id: 'UpdateDataQualityTest', description: 'Fields to change; omitted fields keep their values.' },
);
export type UpdateTest = Static<typeof UpdateTest>;

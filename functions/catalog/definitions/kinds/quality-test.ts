import * as Type from 'typebox';
import { testProperties } from '../../../../shared/domains/quality/index.ts';
import type { DefinitionKind } from './kind.ts';

const { name, description, testType, targetType, sourceId, schemaName, tableName, columnName } = testProperties;
const { modelId, tableId, fieldId, config, scheduleEnabled, cron, timezone, runOnSync, severity, isActive } =
  testProperties;

export const qualityTest: DefinitionKind = {
  kind: 'quality-test',
  members: Type.Object({
    name,
    description: { ...description, default: '' },
    testType,
    targetType: { ...targetType, default: 'source_table' },
    sourceId: { ...sourceId, default: 'datasets' },
    schemaName: { ...schemaName, default: '' },
    tableName: { ...tableName, default: '' },
    columnName: { ...columnName, default: null },
    modelId: { ...modelId, default: null },
    tableId: { ...tableId, default: null },
    fieldId: { ...fieldId, default: null },
    config: { ...config, default: {} },
    scheduleEnabled: { ...scheduleEnabled, default: false },
    cron: { ...cron, default: null },
    timezone: { ...timezone, default: 'UTC' },
    runOnSync: { ...runOnSync, default: false },
    severity: { ...severity, default: 'medium' },
    isActive: { ...isActive, default: true },
  }),
  references: { sourceId: 'source', modelId: 'model' },
  parts: { tableId: 'table', fieldId: 'field' },
  // A field of a model is named by the model alone, a column of a table by the table alone.
  show: (object) => omit(object, object.targetType === 'model_field' ? OF_TABLE : OF_FIELD),
  take: (members) => omit(members, members.targetType === 'model_field' ? OF_TABLE : OF_FIELD),
};

const OF_TABLE = ['sourceId', 'schemaName', 'tableName', 'columnName'];
const OF_FIELD = ['modelId', 'tableId', 'fieldId'];

const omit = (members: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));

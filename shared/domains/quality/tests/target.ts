import { AppError } from '../../../platform/errors/app-error.ts';
import { type DefinitionReader, findPart, type ModelDefinition } from '../../semantics/models/index.ts';
import { type FoundTable, findTable, type TableDeps } from '../table.ts';
import type { StoredTest } from './records.ts';

/** What a test says about the rows that it checks. */
export type Target = Partial<
  Pick<StoredTest, 'sourceId' | 'schemaName' | 'tableName' | 'columnName' | 'modelId' | 'tableId' | 'fieldId'>
> &
  Pick<StoredTest, 'targetType'>;

export interface TargetDeps extends TableDeps {
  definitions: DefinitionReader;
}

export interface ResolvedTarget {
  table: FoundTable;
  columnName: string | null;
  modelId: string | null;
  tableId: string | null;
  fieldId: string | null;
}

/**
 * The table and column of a target; a field of a model stands for the column that it reads. Throws the codes of
 * `findTable`, `MODEL_NOT_FOUND`, `MODEL_FIELD_NOT_FOUND`, or `VALIDATION_FAILED`.
 */
export function resolveTarget(deps: TargetDeps, workspaceId: string, target: Target): Promise<ResolvedTarget> {
  return target.targetType === 'model_field' ? ofField(deps, workspaceId, target) : ofTable(deps, workspaceId, target);
}

async function ofTable(deps: TargetDeps, workspaceId: string, target: Target): Promise<ResolvedTarget> {
  const { tableName, columnName = null } = target;
  const stray = (['modelId', 'tableId', 'fieldId'] as const).filter((name) => target[name]);
  const errors = [
    ...(tableName === undefined ? [required('/tableName', 'source_table')] : []),
    ...stray.map((name) => notFor(`/${name}`, 'source_table')),
  ];
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
  const table = await findTable(deps, workspaceId, { ...target, tableName: tableName! });
  return { table, columnName, modelId: null, tableId: null, fieldId: null };
}

async function ofField(deps: TargetDeps, workspaceId: string, target: Target): Promise<ResolvedTarget> {
  const { modelId, fieldId } = target;
  if (!modelId || !fieldId) {
    const errors = [
      ...(modelId ? [] : [required('/modelId', 'model_field')]),
      ...(fieldId ? [] : [required('/fieldId', 'model_field')]),
    ];
    throw new AppError('VALIDATION_FAILED', { errors });
  }
  const definition = await deps.definitions.read({ workspaceId, modelId });
  const field = findPart(definition, 'fields', fieldId);
  if (field.sourceColumn === null) {
    const message = 'is a calculated field, which has no column; test the columns that its expression reads';
    throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/fieldId', code: 'CALCULATED_FIELD', message }] });
  }
  const { sourceSchema: schemaName, sourceTable: tableName } = findPart(definition, 'tables', field.tableId);
  const place = { sourceId: definition.model.sourceId, schemaName, tableName };
  const resolved = { ...place, columnName: field.sourceColumn, tableId: field.tableId };
  const errors = Object.entries(resolved).flatMap(([name, value]) => {
    const given = target[name as keyof Target];
    if (given === undefined || given === null || given === value) return [];
    const message = `differs from that of the field, which is ${JSON.stringify(value)}; omit it`;
    return [{ pointer: `/${name}`, code: 'CONFLICT', message }];
  });
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
  const table = await findTable(deps, workspaceId, place);
  return { table, columnName: field.sourceColumn, modelId, tableId: field.tableId, fieldId };
}

const required = (pointer: string, targetType: string) => ({
  pointer,
  code: 'REQUIRED',
  message: `is required for a test of a ${targetType}`,
});

const notFor = (pointer: string, targetType: string) => ({
  pointer,
  code: 'NOT_ALLOWED',
  message: `is not allowed for a test of a ${targetType}; omit it`,
});

/**
 * Why the field of a stored test no longer leads to the column that was checked when it was saved; undefined if it
 * does.
 */
export function movedField(definition: ModelDefinition, test: StoredTest): string | undefined {
  const field = definition.fields.get(test.fieldId!);
  if (!field) return 'The model has no such field any more. Choose another one for the test.';
  const table = definition.tables.get(field.tableId);
  const isSame =
    table?.sourceSchema === test.schemaName &&
    table.sourceTable === test.tableName &&
    definition.model.sourceId === test.sourceId &&
    field.sourceColumn === test.columnName;
  return isSame ? undefined : 'The field of the model reads another column now. Save the test again.';
}

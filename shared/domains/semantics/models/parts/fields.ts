import type { DataType } from '../../../../data/expressions/index.ts';
import { AppError, type Issue } from '../../../../platform/errors/app-error.ts';
import { quoteName, suggestion } from '../../../../platform/validation/names.ts';
import type { Edit, ModelDefinition } from '../definition/definition.ts';
import { fieldsOf, isSameName } from '../definition/definition.ts';
import { findOfTable, findPart } from '../definition/find-part.ts';
import { assertRoom } from '../definition/limits.ts';
import type { Aggregation, ModelField } from '../definition/records.ts';
import { type Act, assertRemovable, changed, newStamps, touched } from '../definition/stamps.ts';
import { checkedFieldExpression } from '../expressions/expressions.ts';
import { columnNames } from './missing.ts';
import { rollupsWithout } from './rollups.ts';

/** What authors say about a field; the expression is the text that they write. */
export type FieldInput = Omit<
  ModelField,
  'id' | 'tableId' | 'isKey' | 'expression' | 'createdBy' | 'updatedBy' | 'createdAt' | 'updatedAt' | 'revision'
> & { expression: string | null };

export type NewField = Pick<FieldInput, 'name' | 'fieldType' | 'dataType'> & Partial<FieldInput>;

const NUMERIC: readonly DataType[] = ['number', 'integer', 'decimal'];

export function addField(
  definition: ModelDefinition,
  { id, tableId, expression, ...input }: NewField & { id: string; tableId: string },
  act: Act,
): Edit {
  findPart(definition, 'tables', tableId);
  if (definition.fields.has(id)) return {};
  const siblings = fieldsOf(definition, tableId);
  const isCalculated = input.fieldType === 'calculated';
  const field: ModelField = {
    id,
    tableId,
    sourceColumn: isCalculated ? null : input.name,
    aggregation: defaultAggregation(input),
    format: null,
    description: '',
    isHidden: false,
    sortByField: null,
    semanticType: null,
    isMetric: false,
    ordinal: (siblings.at(-1)?.ordinal ?? 0) + 1,
    sensitivityLabel: null,
    ...input,
    expression: null,
    isKey: false,
    ...newStamps(act),
  };
  const checked = checkedField(definition, field, expression ?? undefined, columnIssues(definition, field));
  assertNameFree(siblings, field);
  assertRoom(definition, 'fields');
  return { put: { fields: [checked] } };
}

export function updateField(
  definition: ModelDefinition,
  { id, tableId, ...change }: Partial<FieldInput> & { id: string; tableId: string },
  act: Act,
): Edit {
  const field = findOfTable(definition, 'fields', { tableId, id });
  // The type decides which of column and expression a field has.
  const cleared =
    change.fieldType === undefined || change.fieldType === field.fieldType ? {} : otherKind(field, change);
  const { expression, ...rest } = { ...cleared, ...change };
  const stored = expression === null ? { ...rest, expression } : rest;
  const next = changed(field, stored, act);
  // A field whose column is gone can still be changed.
  const isMoved = next.sourceColumn !== field.sourceColumn;
  const checked = checkedField(
    definition,
    next,
    expression ?? undefined,
    isMoved ? columnIssues(definition, next) : [],
  );
  assertNameFree(fieldsOf(definition, tableId), checked);
  return { put: { fields: [checked] } };
}

/** Relationships, levels of hierarchies and parts of rollups go with it; expressions that use it become stale. */
export function removeField(definition: ModelDefinition, named: { id: string; tableId: string }, act: Act): Edit {
  const field = findOfTable(definition, 'fields', named);
  assertRemovable(field);
  return withoutFields(definition, [field], act);
}

/** Without the fields and what cannot be without them. */
export function withoutFields(definition: ModelDefinition, fields: readonly ModelField[], act: Act): Edit {
  const gone = new Set(fields.map(({ id }) => id));
  const hierarchies = [...definition.hierarchies.values()].filter(({ levels }) =>
    levels.some(({ fieldId }) => gone.has(fieldId)),
  );
  const shortened = hierarchies.map((each) => ({
    ...each,
    levels: each.levels.filter(({ fieldId }) => !gone.has(fieldId)),
  }));
  const sorted = [...definition.fields.values()].filter(
    ({ id, sortByField }) => !gone.has(id) && sortByField !== null && gone.has(sortByField),
  );
  const rollups = rollupsWithout(definition, gone, act);
  return {
    put: {
      rollups: rollups.put,
      hierarchies: shortened.filter(({ levels }) => levels.length >= 2).map((each) => touched(each, act)),
      fields: sorted.map((field) => touched({ ...field, sortByField: null }, act)),
    },
    remove: {
      rollups: rollups.remove,
      fields: [...gone],
      relationships: [...definition.relationships.values()]
        .filter(({ fromFieldId, toFieldId }) => gone.has(fromFieldId) || gone.has(toFieldId))
        .map(({ id }) => id),
      hierarchies: shortened.filter(({ levels }) => levels.length < 2).map(({ id }) => id),
    },
  };
}

function otherKind({ name }: ModelField, { fieldType }: Partial<FieldInput>): Partial<FieldInput> {
  return fieldType === 'calculated' ? { sourceColumn: null } : { expression: null, sourceColumn: name };
}

export const defaultAggregation = ({
  fieldType,
  dataType,
}: Pick<ModelField, 'fieldType' | 'dataType'>): Aggregation => {
  if (fieldType !== 'measure') return 'none';
  return NUMERIC.includes(dataType) ? 'sum' : 'count';
};

/** Throws every issue of the members together. `text` is the new expression, if the request has one. */
function checkedField(
  definition: ModelDefinition,
  field: ModelField,
  text: string | undefined,
  ofColumn: readonly Issue[],
): ModelField {
  const issues = [...fieldIssues(definition, field, text), ...ofColumn];
  if (issues.length > 0) throw new AppError('VALIDATION_FAILED', { errors: issues });
  return text === undefined ? field : checkedFieldExpression(definition, field, text);
}

/** Whether the table has the column of a field, as far as its columns are known. */
export function columnIssues(definition: ModelDefinition, field: ModelField): Issue[] {
  const { sourceColumn, tableId } = field;
  const columns = columnNames(definition, tableId);
  if (sourceColumn === null || !columns || columns.has(sourceColumn)) return [];
  const { alias } = definition.tables.get(tableId)!;
  const message = `${quoteName(sourceColumn)} is not a column of ${alias}${suggestion(sourceColumn, [...columns])}`;
  return [{ pointer: '/sourceColumn', code: 'UNKNOWN_COLUMN', message }];
}

/** The issues of the members, apart from those of the expression itself. */
export function fieldIssues(definition: ModelDefinition, field: ModelField, text: string | undefined): Issue[] {
  const issues: Issue[] = [];
  const isCalculated = field.fieldType === 'calculated';
  if (isCalculated && text === undefined && field.expression === null)
    issues.push({ pointer: '/expression', code: 'REQUIRED', message: 'is required for a calculated field' });
  if (!isCalculated && (text !== undefined || field.expression !== null))
    issues.push({ pointer: '/expression', code: 'CONFLICT', message: 'belongs to fields of type `calculated` only' });
  if (isCalculated && field.sourceColumn !== null)
    issues.push({ pointer: '/sourceColumn', code: 'CONFLICT', message: 'cannot be given for a calculated field' });
  if (!isCalculated && field.sourceColumn === null)
    issues.push({ pointer: '/sourceColumn', code: 'REQUIRED', message: 'is required unless the field is calculated' });
  if (['sum', 'avg'].includes(field.aggregation) && !NUMERIC.includes(field.dataType)) {
    const message = `cannot be ${field.aggregation} for values of type ${field.dataType}; use count, count_distinct, min, max or none`;
    issues.push({ pointer: '/aggregation', code: 'WRONG_TYPE', message });
  }
  const wasCalculated = definition.fields.get(field.id)?.fieldType === 'calculated';
  if (isCalculated && !wasCalculated && isJoined(definition, field.id)) {
    const message = 'cannot be `calculated` while a relationship joins by the field; remove the relationship first';
    issues.push({ pointer: '/fieldType', code: 'CONFLICT', message });
  }
  return [...issues, ...sortIssues(definition, field)];
}

const isJoined = ({ relationships }: ModelDefinition, fieldId: string): boolean =>
  [...relationships.values()].some(({ fromFieldId, toFieldId }) => fromFieldId === fieldId || toFieldId === fieldId);

function sortIssues({ fields }: ModelDefinition, field: ModelField): Issue[] {
  const issue = (code: string, message: string): Issue[] => [{ pointer: '/sortByField', code, message }];
  // What holds for the fields of a definition need not hold once one of them is another.
  const sortable = fields.get(field.id) === field ? sortableFields(fields) : new Set<string>();
  const seen = new Set([field.id]);
  for (let next = field.sortByField; next !== null; next = fields.get(next)?.sortByField ?? null) {
    if (seen.has(next)) return issue('CYCLE', 'leads back to a field that is sorted by it');
    if (fields.get(next)?.tableId !== field.tableId) return issue('UNKNOWN_FIELD', 'must be a field of the same table');
    if (sortable.has(next)) break;
    seen.add(next);
  }
  for (const id of seen) sortable.add(id);
  return [];
}

/** Fields whose chain of `sortByField` was found to end: a chain may have 10,000 of them. */
const SORTABLE = new WeakMap<ModelDefinition['fields'], Set<string>>();

function sortableFields(fields: ModelDefinition['fields']): Set<string> {
  const sortable = SORTABLE.get(fields) ?? new Set();
  SORTABLE.set(fields, sortable);
  return sortable;
}

function assertNameFree(siblings: readonly ModelField[], { id, name }: ModelField): void {
  if (siblings.some((other) => other.id !== id && isSameName(other.name, name)))
    throw new AppError('MODEL_FIELD_NAME_TAKEN');
}

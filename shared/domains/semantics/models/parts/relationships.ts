import type { DataType } from '../../../../data/expressions/index.ts';
import { AppError, type Issue } from '../../../../platform/errors/app-error.ts';
import type { Edit, ModelDefinition } from '../definition/definition.ts';
import { findPart } from '../definition/find-part.ts';
import { assertRoom } from '../definition/limits.ts';
import type { Relationship } from '../definition/records.ts';
import { type Act, assertRemovable, changed, newStamps } from '../definition/stamps.ts';

export type RelationshipInput = Pick<
  Relationship,
  'fromTableId' | 'fromFieldId' | 'toTableId' | 'toFieldId' | 'joinType' | 'cardinality' | 'isActive' | 'aiDetected'
>;

/** Values of types in one group can be equal. */
const COMPARABLE: Readonly<Record<DataType, string | null>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  decimal: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'instant',
  time: 'time',
  geo: null,
};

/** Several active ways between two tables are allowed; a query that could take more than one of them is rejected. */
export function addRelationship(
  definition: ModelDefinition,
  { id, ...input }: RelationshipInput & { id: string },
  act: Act,
): Edit {
  if (definition.relationships.has(id)) return {};
  const relationship = { id, ...input, ...newStamps(act) };
  assertValid(definition, relationship);
  assertRoom(definition, 'relationships');
  return { put: { relationships: [relationship] } };
}

type EndNames = Partial<Record<'fromTable' | 'fromField' | 'toTable' | 'toField', string>>;

/** Suggestions name their ends beside the ids. Throws `VALIDATION_FAILED` for names of other tables and fields. */
export function withoutNames<T extends Ends & EndNames>(
  { tables, fields }: ModelDefinition,
  { fromTable, fromField, toTable, toField, ...relationship }: T,
) {
  const { fromTableId, fromFieldId, toTableId, toFieldId } = relationship;
  const named = [
    ['fromTable', fromTable, tables.get(fromTableId)?.alias],
    ['fromField', fromField, fields.get(fromFieldId)?.name],
    ['toTable', toTable, tables.get(toTableId)?.alias],
    ['toField', toField, fields.get(toFieldId)?.name],
  ] as const;
  const errors = named
    .filter(([, given, is]) => given !== undefined && is !== undefined && given !== is)
    .map(([name, , is]) => ({
      pointer: `/${name}`,
      code: 'CONFLICT',
      message: `does not match the id, whose name is "${is}"`,
    }));
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
  return relationship;
}

export function updateRelationship(
  definition: ModelDefinition,
  { id, ...change }: Partial<RelationshipInput> & { id: string },
  act: Act,
): Edit {
  const relationship = changed(findPart(definition, 'relationships', id), change, act);
  assertValid(definition, relationship);
  return { put: { relationships: [relationship] } };
}

export function removeRelationship(definition: ModelDefinition, { id }: { id: string }): Edit {
  assertRemovable(findPart(definition, 'relationships', id));
  return { remove: { relationships: [id] } };
}

function assertValid(definition: ModelDefinition, relationship: Relationship): void {
  const errors = joinIssues(definition, relationship);
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
  const ends = endsOf(relationship);
  for (const other of definition.relationships.values())
    if (other.id !== relationship.id && endsOf(other) === ends) throw new AppError('MODEL_RELATIONSHIP_EXISTS');
}

type Ends = Pick<Relationship, 'fromTableId' | 'fromFieldId' | 'toTableId' | 'toFieldId'>;

/** Why two fields cannot be joined. */
export function joinIssues(definition: ModelDefinition, ends: Ends): Issue[] {
  const issues = [...endIssues(definition, ends, 'from'), ...endIssues(definition, ends, 'to')];
  if (ends.fromTableId === ends.toTableId) {
    const message = 'must be another table; add the table a second time under another alias to join it to itself';
    issues.push({ pointer: '/toTableId', code: 'SAME_TABLE', message });
  }
  return issues.length > 0 ? issues : typeIssues(definition, ends);
}

function endIssues({ tables, fields }: ModelDefinition, ends: Ends, end: 'from' | 'to'): Issue[] {
  const tableId = ends[`${end}TableId`];
  const fieldId = ends[`${end}FieldId`];
  if (!tables.has(tableId))
    return [{ pointer: `/${end}TableId`, code: 'UNKNOWN_TABLE', message: 'is not a table of the model' }];
  const field = fields.get(fieldId);
  if (field?.tableId !== tableId)
    return [{ pointer: `/${end}FieldId`, code: 'UNKNOWN_FIELD', message: 'is not a field of the table' }];
  if (field.fieldType === 'calculated') {
    const message = 'is a calculated field, which has no column to join by; choose a field with a source column';
    return [{ pointer: `/${end}FieldId`, code: 'CALCULATED_FIELD', message }];
  }
  return [];
}

function typeIssues({ fields }: ModelDefinition, { fromFieldId, toFieldId }: Ends): Issue[] {
  const [from, to] = [fields.get(fromFieldId)!.dataType, fields.get(toFieldId)!.dataType];
  if (COMPARABLE[from] !== null && COMPARABLE[from] === COMPARABLE[to]) return [];
  const message = `has the type ${to}, which cannot equal ${from}`;
  return [{ pointer: '/toFieldId', code: 'WRONG_TYPE', message }];
}

const endsOf = ({ fromFieldId, toFieldId }: Ends) => [fromFieldId, toFieldId].sort().join();

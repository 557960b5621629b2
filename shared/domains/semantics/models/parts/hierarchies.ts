import { AppError, type Issue } from '../../../../platform/errors/app-error.ts';
import type { Edit, ModelDefinition } from '../definition/definition.ts';
import { isSameName } from '../definition/definition.ts';
import { findPart } from '../definition/find-part.ts';
import { assertRoom } from '../definition/limits.ts';
import type { Hierarchy } from '../definition/records.ts';
import { type Act, assertRemovable, changed, newStamps } from '../definition/stamps.ts';

export interface HierarchyInput {
  name: string;
  tableId: string | null;
  /** A level without a label has the name of its field. */
  levels: readonly { fieldId: string; label?: string }[];
}

export function addHierarchy(
  definition: ModelDefinition,
  { id, ...input }: HierarchyInput & { id: string },
  act: Act,
): Edit {
  if (definition.hierarchies.has(id)) return {};
  const hierarchy = { id, ...input, levels: labelled(definition, input.levels), ...newStamps(act) };
  assertValid(definition, hierarchy);
  assertRoom(definition, 'hierarchies');
  return { put: { hierarchies: [hierarchy] } };
}

export function updateHierarchy(
  definition: ModelDefinition,
  { id, levels, ...change }: Partial<HierarchyInput> & { id: string },
  act: Act,
): Edit {
  const next = { ...change, ...(levels ? { levels: labelled(definition, levels) } : {}) };
  const hierarchy = changed(findPart(definition, 'hierarchies', id), next, act);
  assertValid(definition, hierarchy);
  return { put: { hierarchies: [hierarchy] } };
}

export function removeHierarchy(definition: ModelDefinition, { id }: { id: string }): Edit {
  assertRemovable(findPart(definition, 'hierarchies', id));
  return { remove: { hierarchies: [id] } };
}

const labelled = ({ fields }: ModelDefinition, levels: HierarchyInput['levels']) =>
  levels.map(({ fieldId, label }) => ({ fieldId, label: label ?? fields.get(fieldId)?.name ?? fieldId }));

function assertValid(definition: ModelDefinition, hierarchy: Hierarchy): void {
  const errors = hierarchyIssues(definition, hierarchy);
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
  for (const other of definition.hierarchies.values())
    if (other.id !== hierarchy.id && isSameName(other.name, hierarchy.name))
      throw new AppError('MODEL_HIERARCHY_NAME_TAKEN');
}

export function hierarchyIssues({ tables, fields }: ModelDefinition, { tableId, levels }: Hierarchy): Issue[] {
  const issues: Issue[] = [];
  if (tableId !== null && !tables.has(tableId))
    issues.push({ pointer: '/tableId', code: 'UNKNOWN_TABLE', message: 'is not a table of the model' });
  levels.forEach(({ fieldId }, index) => {
    const pointer = `/levels/${index}/fieldId`;
    const field = fields.get(fieldId);
    if (!field) issues.push({ pointer, code: 'UNKNOWN_FIELD', message: 'is not a field of the model' });
    else if (tableId !== null && field.tableId !== tableId)
      issues.push({ pointer, code: 'OTHER_TABLE', message: 'is not a field of the table in tableId' });
    if (levels.findIndex((level) => level.fieldId === fieldId) < index)
      issues.push({ pointer, code: 'DUPLICATE', message: 'is already the field of an earlier level' });
  });
  return issues;
}

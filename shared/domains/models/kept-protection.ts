import { referencesOf } from '../../data/expressions/index.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { ModelDefinition } from './definition.ts';
import { folded } from './definition.ts';
import { labelsOf } from './protected-tables.ts';
import type { ModelField, ModelTable, Policy } from './records.ts';

/**
 * Policies and sensitivity labels are set by admins, and fields and tables by editors. An edit of an editor must not change
 * what a policy means, nor which columns have labels. Throws `MODEL_TABLE_PROTECTED` with what stands against the edit.
 */
export function assertKeepsProtection(before: ModelDefinition, after: ModelDefinition): void {
  const policies = [...before.policies.values()].filter(
    (policy) => meaningOf(before, policy) !== meaningOf(after, after.policies.get(policy.id)),
  );
  const left = new Set(labelled(after).map(({ key }) => key));
  const fields = labelled(before).filter(({ key }) => !left.has(key));
  if (policies.length + fields.length === 0) return;
  const referencedBy = [
    ...policies.map(({ id, name }) => ({ type: 'policy', id, name })),
    ...fields.map(({ field }) => ({ type: 'field', id: field.id, name: field.name })),
  ];
  throw new AppError('MODEL_TABLE_PROTECTED', { members: { referencedBy: distinct(referencedBy).slice(0, 100) } });
}

/** Throws `MODEL_TABLE_PROTECTED` if the model restricts anything. */
export const assertUnprotectedModel = (definition: ModelDefinition): void =>
  assertKeepsProtection(definition, { ...definition, tables: new Map(), fields: new Map(), policies: new Map() });

const placeOf = ({ sourceSchema, sourceTable }: ModelTable) => [sourceSchema, sourceTable];

/** The policy with all that its expression leads to; undefined if there is none. */
function meaningOf(definition: ModelDefinition, policy: Policy | undefined): string | undefined {
  if (!policy) return undefined;
  const table = definition.tables.get(policy.tableId);
  const seen = new Map<string, unknown>();
  const visit = (ids: readonly string[]) => {
    for (const id of ids) {
      const field = definition.fields.get(id);
      if (seen.has(id)) continue;
      seen.set(
        id,
        field && [field.sourceColumn, field.fieldType, field.dataType, field.sensitivityLabel, field.expression],
      );
      if (field?.expression) visit(referencesOf(field.expression).fields);
    }
  };
  visit(referencesOf(policy.filterExpression).fields);
  return JSON.stringify([table && placeOf(table), policy.filterExpression, policy.appliesTo, [...seen]]);
}

/** Every label: of a source column by its place, and of a calculated field by itself. */
function labelled(definition: ModelDefinition): { key: string; field: ModelField }[] {
  const byTable = new Map<string, ModelField[]>();
  for (const field of definition.fields.values())
    if (field.sensitivityLabel !== null) byTable.set(field.tableId, [...(byTable.get(field.tableId) ?? []), field]);
  return [...byTable].flatMap(([tableId, fields]) => {
    const place = placeOf(definition.tables.get(tableId)!);
    const columns = labelsOf(definition, tableId).map(({ column, label, field }) => ({
      key: JSON.stringify([...place, folded(column), folded(label)]),
      field,
    }));
    const calculated = fields
      .filter(({ sourceColumn }) => sourceColumn === null)
      .map((field) => ({ key: JSON.stringify([field.id, folded(field.sensitivityLabel!)]), field }));
    return [...columns, ...calculated];
  });
}

const distinct = <T extends { id: string }>(items: readonly T[]): T[] => [
  ...new Map(items.map((item) => [item.id, item])).values(),
];

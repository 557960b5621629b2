import { referencesOf } from '../../../../data/expressions/index.ts';
import { AppError } from '../../../../platform/errors/app-error.ts';
import { listed } from '../../../../platform/validation/names.ts';
import type { ModelDefinition } from '../definition/definition.ts';
import { folded } from '../definition/definition.ts';
import { labelsOf } from '../definition/protected-tables.ts';
import type { ModelField, ModelTable, Policy } from '../definition/records.ts';
import { pathToOne } from '../expressions/path-to-one.ts';
import { hides, keyMeaning, type PlacedPolicy, ProtectedChains, placedPolicies } from './protected-chains.ts';

/** What protects rows or columns. */
interface Protecting {
  type: 'policy' | 'field';
  id: string;
  name: string;
}

const MAX_NAMED = 100;

/**
 * Policies and sensitivity labels are set by admins; tables, fields, steps and relationships by editors. An edit of an
 * editor must not change what a policy means, nor which columns have labels, nor lift a relationship by which the
 * hidden rows of one table hide rows of another. `elsewhere` are the policies that other models have on the source.
 * Throws `FORBIDDEN` with what stands against the edit.
 */
export function assertKeepsProtection(
  before: ModelDefinition,
  after: ModelDefinition,
  elsewhere: readonly PlacedPolicy[] = [],
): void {
  const lifted = distinct([
    ...changedPolicies(before, after),
    ...liftedChains(before, after, elsewhere),
    ...liftedLabels(before, after),
  ]);
  if (lifted.length === 0) return;
  const names = (type: Protecting['type']) =>
    listed(lifted.filter((each) => each.type === type).map(({ name }) => name));
  const what = [
    ...(names('policy') ? [`the row-level security policies ${names('policy')}`] : []),
    ...(names('field') ? [`the sensitivity labels of ${names('field')}`] : []),
  ];
  throw new AppError('FORBIDDEN', {
    detail: `The change would weaken ${what.join(' and ')}. Ask a workspace admin to make it.`,
    members: { referencedBy: lifted.slice(0, MAX_NAMED) },
  });
}

/** Throws `FORBIDDEN` if the model restricts anything. */
export const assertUnprotectedModel = (definition: ModelDefinition): void =>
  assertKeepsProtection(definition, { ...definition, tables: new Map(), fields: new Map(), policies: new Map() });

const asProtecting = ({ id, name }: Policy): Protecting => ({ type: 'policy', id, name });

const changedPolicies = (before: ModelDefinition, after: ModelDefinition): Protecting[] =>
  [...before.policies.values()]
    .filter((policy) => meaningOf(before, policy) !== meaningOf(after, after.policies.get(policy.id)))
    .map(asProtecting);

function liftedChains(
  before: ModelDefinition,
  after: ModelDefinition,
  elsewhere: readonly PlacedPolicy[],
): Protecting[] {
  if (before.relationships.size === 0) return [];
  const restricted = [...placedPolicies(before), ...elsewhere];
  if (restricted.length === 0) return [];
  // What the edit does to the policies themselves is another matter.
  const left = new ProtectedChains(after, restricted);
  return [...new ProtectedChains(before, restricted).all()].flatMap(({ place, chains }) => {
    const now = left.at(place);
    // Once the table is gone, it could be added again without its relationships.
    const lifted = chains.filter(({ key }) => now.length === 0 || now.some((those) => !hides(those, key)));
    return lifted.flatMap(({ policies }) => policies.map(asProtecting));
  });
}

function liftedLabels(before: ModelDefinition, after: ModelDefinition): Protecting[] {
  const left = new Set(labelled(after).map(({ key }) => key));
  return labelled(before)
    .filter(({ key }) => !left.has(key))
    .map(({ field: { id, name } }) => ({ type: 'field', id, name }));
}

const sourcePathOf = ({ sourceSchema, sourceTable }: ModelTable) => [sourceSchema, sourceTable];

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
  const paths = table ? pathsOf(definition, table.id, [...seen.keys()]) : [];
  return JSON.stringify([table && sourcePathOf(table), policy.filterExpression, policy.appliesTo, [...seen], paths]);
}

/** How the rows of the table lead to those of other tables whose fields a policy reads. */
function pathsOf(definition: ModelDefinition, from: string, fields: readonly string[]): unknown[] {
  const tables = new Set(fields.flatMap((id) => definition.fields.get(id)?.tableId ?? []));
  tables.delete(from);
  return [...tables].map((to) => {
    const path = pathToOne(definition, from, to);
    if ('problem' in path) return path.problem;
    return path.hops.flatMap((hop) =>
      [hop.from, hop.to].map(({ tableId, fieldId }) => keyMeaning(definition, tableId, fieldId)),
    );
  });
}

/** Every label: of a source column by its place, and of a calculated field by itself. */
function labelled(definition: ModelDefinition): { key: string; field: ModelField }[] {
  const byTable = new Map<string, ModelField[]>();
  for (const field of definition.fields.values())
    if (field.sensitivityLabel !== null) byTable.set(field.tableId, [...(byTable.get(field.tableId) ?? []), field]);
  return [...byTable].flatMap(([tableId, fields]) => {
    const place = sourcePathOf(definition.tables.get(tableId)!);
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

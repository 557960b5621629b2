import { AppError } from '../../../../platform/errors/app-error.ts';
import type { Edit, ModelDefinition } from '../definition/definition.ts';
import { fieldsOf, isSameName, transformsOf } from '../definition/definition.ts';
import { findPart } from '../definition/find-part.ts';
import { assertRoom } from '../definition/limits.ts';
import type { ModelTable } from '../definition/records.ts';
import { type Act, assertRemovable, changed, newStamps } from '../definition/stamps.ts';
import { withoutFields } from './fields.ts';

export type TableInput = Pick<ModelTable, 'sourceSchema' | 'sourceTable' | 'alias' | 'description'>;

/** What the catalogue knows about a table: null if the source was never synced, undefined if it has no such table. */
export type KnownColumns = ModelTable['columns'] | undefined;

/** The same source table may be added under several aliases, to join it in several roles. */
export function addTable(
  definition: ModelDefinition,
  { id, known, ...input }: TableInput & { id: string; known: KnownColumns },
  act: Act,
): Edit {
  if (definition.tables.has(id)) return {};
  assertAliasFree(definition, input.alias);
  assertRoom(definition, 'tables');
  return {
    put: { tables: [{ id, ...input, columns: known ?? null, missing: known === undefined, ...newStamps(act) }] },
  };
}

export function updateTable(
  definition: ModelDefinition,
  { id, known, ...change }: Partial<TableInput> & { id: string; known?: KnownColumns },
  act: Act,
): Edit {
  const table = findPart(definition, 'tables', id);
  const isMoved = sourceOf({ ...table, ...change }) !== sourceOf(table);
  const next = { ...change, ...(isMoved ? { columns: known ?? null, missing: known === undefined } : {}) };
  const changedTable = changed(table, next, act);
  if (change.alias !== undefined) assertAliasFree(definition, change.alias, id);
  if (isMoved) assertUnprotected(definition, table);
  return { put: { tables: [changedTable] } };
}

/**
 * Its fields, transforms, relationships and hierarchies go with it. Expressions that use its fields become stale. A
 * table with policies stays: adding it again would otherwise show all of its rows.
 */
export function removeTable(definition: ModelDefinition, { id }: { id: string }, act: Act): Edit {
  const table = findPart(definition, 'tables', id);
  assertRemovable(table);
  assertUnprotected(definition, table);
  const { put = {}, remove = {} } = withoutFields(definition, fieldsOf(definition, id), act);
  return {
    put,
    remove: {
      ...remove,
      tables: [id],
      transforms: transformsOf(definition, id).map((step) => step.id),
      hierarchies: [
        ...new Set([
          ...(remove.hierarchies ?? []),
          ...[...definition.hierarchies.values()].filter(({ tableId }) => tableId === id).map((each) => each.id),
        ]),
      ],
    },
  };
}

const sourceOf = ({ sourceSchema, sourceTable }: ModelTable) => JSON.stringify([sourceSchema, sourceTable]);

function assertAliasFree({ tables }: ModelDefinition, alias: string, ownId?: string): void {
  for (const table of tables.values())
    if (table.id !== ownId && isSameName(table.alias, alias)) throw new AppError('MODEL_ALIAS_TAKEN');
}

/** Throws `MODEL_TABLE_PROTECTED` with the policies of the table. */
export function assertUnprotected({ policies }: ModelDefinition, { id }: ModelTable): void {
  const protecting = [...policies.values()].filter(({ tableId }) => tableId === id);
  if (protecting.length === 0) return;
  throw new AppError('MODEL_TABLE_PROTECTED', {
    members: {
      referencedBy: protecting.slice(0, 100).map((policy) => ({ type: 'policy', id: policy.id, name: policy.name })),
    },
  });
}

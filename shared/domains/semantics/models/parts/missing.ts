import type { ModelDefinition } from '../definition/definition.ts';
import type { ModelField } from '../definition/records.ts';
import { outputColumns } from './transforms.ts';

/** Definitions never change, so what follows from one is computed once. */
const columnsByDefinition = new WeakMap<ModelDefinition, Map<string, ReadonlySet<string> | null>>();

/** Whether the table does not have the field's column, as far as its columns are known. */
export function isMissing(definition: ModelDefinition, { tableId, sourceColumn }: ModelField): boolean {
  if (sourceColumn === null) return false;
  const table = definition.tables.get(tableId)!;
  if (table.missing) return true;
  const columns = columnNames(definition, tableId);
  return columns !== null && !columns.has(sourceColumn);
}

/** The columns that fields of the table can have; null if they are not known. */
export function columnNames(definition: ModelDefinition, tableId: string): ReadonlySet<string> | null {
  const known = columnsByDefinition.get(definition) ?? new Map<string, ReadonlySet<string> | null>();
  columnsByDefinition.set(definition, known);
  const cached = known.get(tableId);
  if (cached !== undefined) return cached;
  const columns = outputColumns(definition, tableId);
  const found = columns && new Set(columns.map(({ name }) => name));
  known.set(tableId, found);
  return found;
}

import {
  expressionText,
  fieldsOf,
  isMissing,
  type ModelDefinition,
  type ModelRecord,
  type ModelField as StoredField,
  type ModelTable as StoredTable,
  staleIds,
} from '../../shared/domains/models/index.ts';
import { fittingItems, type PageOf } from '../../shared/platform/storage/page.ts';
import type { Model, ModelField, ModelTable } from './schemas.ts';

/** What replies show of stored parts. */
export function shownModel({ edition: _edition, generation: _generation, ...model }: ModelRecord): Model {
  return model;
}

const placed = ({ model }: ModelDefinition) => ({ workspaceId: model.workspaceId, modelId: model.id });

export function shownTable(definition: ModelDefinition, { columns: _columns, ...table }: StoredTable): ModelTable {
  return { ...placed(definition), ...table };
}

export function shownField(definition: ModelDefinition, field: StoredField): ModelField {
  return {
    ...placed(definition),
    ...field,
    expression: field.expression === null ? null : expressionText(definition, field.expression),
    missing: isMissing(definition, field),
    stale: staleIds(definition).has(field.id),
  };
}

export const byAlias = (a: StoredTable, b: StoredTable) =>
  a.alias.localeCompare(b.alias, 'en') || (a.id < b.id ? -1 : 1);

export const shownFields = (definition: ModelDefinition, tableId: string): ModelField[] =>
  fieldsOf(definition, tableId).map((field) => shownField(definition, field));

/** The requested part of a list; it ends earlier if the items would be too large for one reply. */
export function pageOf<T, V>(
  all: readonly T[],
  { limit, offset }: { limit: number; offset: number },
  view: (item: T) => V,
): PageOf<V> {
  const items = all.slice(offset, offset + limit).map(view);
  const fitting = fittingItems(items);
  return {
    items: items.slice(0, fitting),
    total: all.length,
    limit: fitting < items.length ? fitting : limit,
    offset,
  };
}

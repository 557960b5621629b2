import { quoteIdentifier } from '../../data/duckdb/quoting.ts';
import type { SemanticModel } from '../../data/semantics/model.ts';
import type { Source } from '../../data/semantics/writer.ts';
import { columnIn, type ModelDefinition, type ModelTable } from '../models/index.ts';

const MODELS = new WeakMap<ModelDefinition, SemanticModel>();

/** What the planner needs to know of a model; made once for each definition. */
export function semanticModel(definition: ModelDefinition): SemanticModel {
  const known = MODELS.get(definition) ?? {
    tables: [...definition.tables.values()],
    fields: [...definition.fields.values()],
    relationships: [...definition.relationships.values()].map(
      ({ id, fromTableId, fromFieldId, toTableId, toFieldId, cardinality, joinType, isActive }) => ({
        id,
        from: { tableId: fromTableId, fieldId: fromFieldId },
        to: { tableId: toTableId, fieldId: toFieldId },
        cardinality,
        joinType,
        isActive,
      }),
    ),
  };
  MODELS.set(definition, known);
  return known;
}

export function sourceOf(definition: ModelDefinition): Source {
  const column = columnIn(definition);
  return {
    relation: (tableId) => relationName(definition.tables.get(tableId)!),
    column: (fieldId) => {
      const { table: _alias, ...rest } = column({ table: '', field: fieldId });
      return rest;
    },
  };
}

const relationName = ({ sourceSchema, sourceTable }: ModelTable): string =>
  [...(sourceSchema === '' ? [] : [sourceSchema]), sourceTable].map(quoteIdentifier).join('.');

import type { SemanticModel } from '../../../../data/semantics/model.ts';
import type { ModelDefinition } from './definition.ts';

const MODELS = new WeakMap<ModelDefinition, SemanticModel>();

/** What the planner needs to know of a model; made once for each definition. */
export function semanticModel(definition: ModelDefinition): SemanticModel {
  const known: SemanticModel = MODELS.get(definition) ?? {
    calendar: definition.model.calendar ?? null,
    tables: [...definition.tables.values()],
    fields: [...definition.fields.values()],
    relationships: [...definition.relationships.values()].map(
      ({ id, fromTableId, fromFieldId, toTableId, toFieldId, cardinality, joinType, isActive }) => ({
        id,
        from: { tableId: fromTableId, fieldId: fromFieldId },
        to: { tableId: toTableId, fieldId: toFieldId },
        cardinality,
        joinType,
        isActive: isActive && hasColumn(definition, fromFieldId) && hasColumn(definition, toFieldId),
      }),
    ),
  };
  MODELS.set(definition, known);
  return known;
}

/** Earlier, a relationship could join calculated fields. */
const hasColumn = ({ fields }: ModelDefinition, id: string): boolean => fields.get(id)?.fieldType !== 'calculated';

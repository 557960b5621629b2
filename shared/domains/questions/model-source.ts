import type { SemanticModel } from '../../data/semantics/model.ts';
import type { Source } from '../../data/semantics/writer.ts';
import type { RelationOptions, StepProblem } from '../../data/transforms/index.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { columnIn, type ModelDefinition, relationOfTable } from '../models/index.ts';

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

/** Throws `QUESTION_UNANSWERABLE` for a table whose transform steps do not fit its columns any more. */
export function sourceOf(definition: ModelDefinition, options: Omit<RelationOptions, 'table' | 'steps'>): Source {
  const column = columnIn(definition, options.dialect);
  return {
    relation: (tableId) => {
      const relation = relationOfTable(definition, tableId, options);
      if ('sql' in relation) return relation.sql;
      throw new AppError('QUESTION_UNANSWERABLE', { detail: reasonAgainst(definition, relation.problems[0]!) });
    },
    column: (fieldId) => {
      const { table: _alias, ...rest } = column({ table: '', field: fieldId });
      return rest;
    },
  };
}

function reasonAgainst({ transforms, tables }: ModelDefinition, { stepId, issues }: StepProblem): string {
  const { tableId, order, type } = transforms.get(stepId)!;
  const [{ pointer, message }] = issues as [StepProblem['issues'][number]];
  const place = pointer === '' ? '' : ` \`${pointer}\``;
  return `The transform step ${order} (${type}) of ${tables.get(tableId)!.alias} cannot run:${place} ${message}.`;
}

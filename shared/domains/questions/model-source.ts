import type { SqlParameter } from '../../data/expressions/index.ts';
import type { SemanticModel } from '../../data/semantics/model.ts';
import type { Source } from '../../data/semantics/writer.ts';
import { type TableRelation, tableRelation } from '../../data/transforms/index.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { type DIALECTS, type ModelDefinition, type ModelTable, type Transform, transformsOf } from '../models/index.ts';
import { emitRows, type Rights } from '../row-rights/index.ts';
import type { Clock } from './conditions.ts';

export type Dialect = (typeof DIALECTS)[number];

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

export interface SourceOptions {
  dialect: Dialect;
  clock: Clock;
  rights: Rights;
  /** Those of the statement: relations add theirs. */
  params: SqlParameter[];
}

export const placeOf = ({ sourceSchema: schema, sourceTable: table }: ModelTable) => ({ schema, table });

/**
 * The tables of the model as the caller may see them, after their transform steps. Its members throw `QUESTION_UNANSWERABLE` for a
 * table whose steps cannot run.
 */
export function sourceOf(definition: ModelDefinition, options: SourceOptions): Source {
  const { rights, dialect } = options;
  const relations = new Map<string, TableRelation>();
  const relationOf = (tableId: string): TableRelation => {
    const relation = relations.get(tableId) ?? runnable(definition, definition.tables.get(tableId)!, options);
    relations.set(tableId, relation);
    return relation;
  };
  const isRestricted = (table: ModelTable) => (rights.of(placeOf(table))?.rows ?? 'all') !== 'all';
  return {
    relation: (tableId) => relationOf(tableId).sql,
    column: (fieldId) => {
      const { tableId, sourceColumn, dataType } = definition.fields.get(fieldId)!;
      const column = sourceColumn!;
      const known = relationOf(tableId).columns?.find(({ name }) => name === column);
      // Before the first sync, a text may be anything that Postgres does not compare with texts.
      if (!known) return dialect === 'postgres' && dataType === 'string' ? { column, stored: 'other' } : { column };
      const stored = known.type === dataType ? known.stored : 'other';
      return stored ? { column, stored } : { column };
    },
    restricted: new Set([...definition.tables.values()].filter(isRestricted).map(({ id }) => id)),
  };
}

function runnable(definition: ModelDefinition, table: ModelTable, options: SourceOptions): TableRelation {
  const relation = relationFor(table, transformsOf(definition, table.id), options);
  if (!('problems' in relation)) return relation;
  const errors = relation.problems.flatMap(({ issues }) =>
    issues.map(({ code, message }) => ({
      pointer: '',
      code,
      message: `A transform step of ${table.alias}: ${message}`,
    })),
  );
  throw new AppError('QUESTION_UNANSWERABLE', { detail: errors[0]!.message, errors });
}

/** The rows of a table that the caller may see, after some of its steps. */
export function relationFor(
  { sourceSchema: schema, sourceTable: name, ...table }: Pick<ModelTable, 'sourceSchema' | 'sourceTable' | 'columns'>,
  steps: readonly Transform[],
  { dialect, clock, rights, params }: SourceOptions,
): ReturnType<typeof tableRelation> {
  const restriction = rights.of({ schema, table: name });
  const isOpen = restriction === undefined || restriction.rows === 'all';
  return tableRelation({
    table: { schema, name, columns: table.columns },
    conditions: isOpen ? [] : [emitRows(restriction, { dialect, params }).sql],
    steps,
    dialect,
    params,
    ...clock,
  });
}

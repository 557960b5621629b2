import { analyze, type DataType, type Scope, type Typed } from '../../../../shared/data/expressions/index.ts';
import type { Relationship, SemanticModel } from '../../../../shared/data/semantics/model.ts';
import { planQuestion } from '../../../../shared/data/semantics/plan.ts';
import type { Question } from '../../../../shared/data/semantics/question.ts';
import type { Tables } from './brute-force.ts';

/** Tables with data, and their relationships. Ids of fields are `table.column`, ids of tables are their names. */
export interface Shape {
  relationships: readonly Relationship[];
  tables: Tables;
  /** Those of fields that are no integers. */
  types?: Readonly<Record<string, DataType>>;
}

export const modelOf = ({ relationships, tables }: Shape): SemanticModel => ({
  tables: Object.keys(tables).map((id) => ({ id, alias: id })),
  fields: Object.entries(tables).flatMap(([tableId, rows]) =>
    Object.keys(rows[0]!).map((id) => ({ id, tableId, name: id.split('.')[1]! })),
  ),
  relationships,
});

export function treeOf(
  shape: Shape,
  purpose: 'row' | 'measure',
  text: string,
  measures: Scope['measures'] = [],
): Typed {
  const { tables, fields } = modelOf(shape);
  const scope: Scope = {
    tables: tables.map((table) => ({
      ...table,
      fields: fields
        .filter(({ tableId }) => tableId === table.id)
        .map(({ id, name }) => ({ id, name, dataType: shape.types?.[id] ?? 'integer' })),
    })),
    measures,
  };
  const { valid, diagnostics } = analyze(text, scope, { purpose });
  if (!valid) throw new Error(`${text}: ${diagnostics.map(({ message }) => message).join(' ')}`);
  return valid.tree;
}

export type Asked = Partial<Omit<Question, 'dimensions' | 'measures' | 'filters' | 'resultFilters'>> & {
  dimensions?: readonly string[];
  measures?: readonly string[];
  filters?: readonly string[];
  timezone?: string;
};

/** Plans a question whose expressions are texts. */
export function planOf(schema: string, shape: Shape, asked: Asked, dialect: 'duckdb' | 'postgres') {
  const { dimensions = [], measures = [], filters = [], timezone = 'UTC', ...rest } = asked;
  const labelled = (purpose: 'row' | 'measure') => (text: string, index: number, texts: readonly string[]) => ({
    label: texts.indexOf(text) === index ? text : `${text} ${index}`,
    tree: treeOf(shape, purpose, text),
  });
  const question: Question = {
    sort: [],
    totals: 'none',
    resultFilters: [],
    ...rest,
    dimensions: dimensions.map(labelled('row')),
    measures: measures.map(labelled('measure')),
    filters: filters.map((text) => treeOf(shape, 'row', text)),
  };
  const source = {
    relation: (table: string) => `${schema}.${table}`,
    column: (field: string) => ({ column: field.split('.')[1]! }),
  };
  return planQuestion(modelOf(shape), source, question, {
    dialect,
    timezone,
    now: new Date('2026-02-15T12:00:00.000Z'),
  });
}

export function sqlOf(schema: string, shape: Shape, asked: Asked, dialect: 'duckdb' | 'postgres'): string {
  const plan = planOf(schema, shape, asked, dialect);
  if ('problems' in plan) throw new Error(plan.problems.map(({ message }) => message).join('\n'));
  return plan.sql;
}

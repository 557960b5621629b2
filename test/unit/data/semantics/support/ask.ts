import {
  analyze,
  type DataType,
  type Scope,
  type Typed,
  type TypedCall,
  textConstant,
} from '../../../../../shared/data/expressions/index.ts';
import { joinGraph } from '../../../../../shared/data/semantics/join-graph.ts';
import type { Relationship, SemanticModel } from '../../../../../shared/data/semantics/model.ts';
import { type Plan, planQuestion, planRows } from '../../../../../shared/data/semantics/plan.ts';
import type { Question, RowsQuestion } from '../../../../../shared/data/semantics/question.ts';
import type { Rollup } from '../../../../../shared/data/semantics/rollup-table.ts';
import type { Source } from '../../../../../shared/data/semantics/writer.ts';
import type { Tables, Way, WaysFrom } from './brute-force.ts';

/** Tables with data, and their relationships. Ids of fields are `table.column`, ids of tables are their names. */
export interface Shape {
  relationships: readonly Relationship[];
  tables: Tables;
  /** Those of fields that are no integers. */
  types?: Readonly<Record<string, DataType>>;
  /** Tables of which only rows with an amount of at least 3 are visible. */
  restricted?: readonly string[];
}

/** The smallest amount of a visible row of a restricted table. */
export const VISIBLE_FROM = 3;

export const modelOf = ({ relationships, tables, types = {} }: Shape): SemanticModel => ({
  tables: Object.keys(tables).map((id) => ({ id, alias: id })),
  fields: Object.entries(tables).flatMap(([tableId, rows]) =>
    Object.keys(rows[0]!).map((id) => ({
      id,
      tableId,
      name: id.split('.')[1]!,
      dataType: types[id] ?? 'integer',
    })),
  ),
  relationships,
});

/** The ways of the planner, in the order of their paths. */
export function waysIn(shape: Shape): WaysFrom {
  const graph = joinGraph(modelOf(shape));
  return (home, others) => {
    const ways = new Map<string, Way>();
    for (const other of new Set(others)) {
      const path = graph.path(home, other);
      if ('problem' in path) throw new Error(path.problem.kind);
      for (const { relationshipId, to } of path.hops) {
        const relationship = shape.relationships.find(({ id }) => id === relationshipId)!;
        ways.set(to.tableId, { relationship, isForwards: relationship.to.tableId === to.tableId });
      }
    }
    return [...ways.values()];
  };
}

/** Fiscal units have their calendar, and no expression names them. */
const FISCAL = /^(DATE_TRUNC\()"(fiscal_[^"]+)"/;

export function treeOf(
  shape: Shape,
  purpose: 'row' | 'measure',
  text: string,
  measures: Scope['measures'] = [],
): Typed {
  const unit = FISCAL.exec(text)?.[2];
  if (unit !== undefined) {
    const ofDays = treeOf(shape, purpose, text.replace(FISCAL, '$1"day"')) as TypedCall;
    return { ...ofDays, args: [textConstant(unit), ...ofDays.args.slice(1)] };
  }
  const { tables, fields } = modelOf(shape);
  const scope: Scope = {
    tables: tables.map((table) => ({
      ...table,
      fields: fields
        .filter(({ tableId }) => tableId === table.id)
        .map(({ id, name, dataType }) => ({ id, name, dataType })),
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
  /** The smallest value of a dimension or measure, by its position. */
  resultFilters?: readonly { position: number; atLeast: number }[];
  timezone?: string;
  rollups?: readonly Rollup[];
};

export type TestDialect = 'duckdb' | 'postgres';

export const optionsOf = (dialect: TestDialect, timezone = 'UTC') => ({
  dialect,
  timezone,
  now: new Date('2026-02-15T12:00:00.000Z'),
});

export const sourceOf = (schema: string, { restricted = [] }: Shape): Source => ({
  relation: (table) =>
    restricted.includes(table)
      ? `(SELECT * FROM ${schema}.${table} WHERE amount >= ${VISIBLE_FROM})`
      : `${schema}.${table}`,
  column: (field) => ({ column: field.split('.')[1]! }),
  restricted: new Set(restricted),
});

/** Plans a question whose expressions are texts. */
export function planOf(schema: string, shape: Shape, asked: Asked, dialect: TestDialect) {
  const { dimensions = [], measures = [], filters = [], resultFilters = [], timezone, rollups = [], ...rest } = asked;
  const labelled = (purpose: 'row' | 'measure') => (text: string, index: number, texts: readonly string[]) => ({
    label: texts.indexOf(text) === index ? text : `${text} ${index}`,
    tree: treeOf(shape, purpose, text),
  });
  const columns = [...dimensions.map(labelled('row')), ...measures.map(labelled('measure'))];
  const question: Question = {
    sort: [],
    totals: 'none',
    ...rest,
    dimensions: columns.slice(0, dimensions.length),
    measures: columns.slice(dimensions.length),
    filters: filters.map((text) => treeOf(shape, 'row', text)),
    resultFilters: resultFilters.map(({ position, atLeast }) => atLeastTree(columns[position]!.tree, atLeast)),
  };
  return planQuestion(modelOf(shape), sourceOf(schema, shape), question, {
    ...optionsOf(dialect, timezone),
    rollups,
  });
}

function atLeastTree(left: Typed, value: number): Typed {
  const at = { from: 0, to: 0 };
  const literal = { type: 'integer', text: String(value) } as const;
  const right: Typed = { kind: 'literal', literal, type: 'integer', level: 'constant', ...at };
  return { kind: 'compare', operator: '>=', left, right, type: 'boolean', level: 'aggregate', ...at };
}

export type AskedRows = Partial<Pick<RowsQuestion, 'home' | 'sort' | 'limit' | 'time'>> & {
  columns: readonly string[];
  measures?: readonly string[];
  filters?: readonly string[];
  joined?: readonly string[];
  /** The dimensions of the number with their values, as expressions; null where it has none. */
  group?: readonly { dimension: string; value: string | null }[];
};

/** Plans a question for rows whose expressions are texts. */
export function planOfRows(schema: string, shape: Shape, asked: AskedRows, dialect: TestDialect) {
  const { columns, measures = [], filters = [], joined = [], group = [], ...rest } = asked;
  const rows = (texts: readonly string[]) => texts.map((text) => treeOf(shape, 'row', text));
  const question: RowsQuestion = {
    limit: 1000,
    ...rest,
    columns: columns.map((label) => ({ label, tree: treeOf(shape, 'row', label) })),
    measures: measures.map((text) => treeOf(shape, 'measure', text)),
    filters: rows(filters),
    joined: rows(joined),
    group: group.map(({ dimension, value }) => ({
      tree: treeOf(shape, 'row', dimension),
      value: value === null ? null : treeOf(shape, 'row', value),
    })),
  };
  return planRows(modelOf(shape), sourceOf(schema, shape), question, optionsOf(dialect));
}

export function sqlIn(plan: Plan): string {
  if ('problems' in plan) throw new Error(plan.problems.map(({ message }) => message).join('\n'));
  return plan.sql;
}

export function sqlOf(schema: string, shape: Shape, asked: Asked, dialect: TestDialect): string {
  return sqlIn(planOf(schema, shape, asked, dialect));
}

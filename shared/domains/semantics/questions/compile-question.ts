import type { SqlParameter } from '../../../data/expressions/index.ts';
import type { Leg } from '../../../data/semantics/legs.ts';
import { type Plan, planQuestion, planRollup, planRows } from '../../../data/semantics/plan.ts';
import type { Labelled, Question } from '../../../data/semantics/question.ts';
import type { RollupChoice } from '../../../data/semantics/rollup-choice.ts';
import type { RollupTable } from '../../../data/semantics/rollup-table.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { DATASETS, type ModelDefinition, semanticModel } from '../models/index.ts';
import type { LiveSource } from '../queries/index.ts';
import type { Rights } from '../row-rights/index.ts';
import { type BoundGroups, bindGroups, type GroupsInput } from './bind-groups.ts';
import { bindQuestion } from './bind-question.ts';
import { type BoundRollups, bindRollups, type UnusedRollup } from './bind-rollups.ts';
import { bindRows } from './bind-rows.ts';
import { bindTable, type TableInput } from './bind-table.ts';
import type { AnswerColumn } from './binder.ts';
import type { Clock } from './conditions.ts';
import { type Dialect, sourceOf } from './model-source.ts';
import type { QuestionInput, RowsInput } from './schemas.ts';
import type { RollupStatement } from './stored-rollups.ts';

export interface CompiledQuestion {
  dialect: Dialect;
  sql: string;
  params: readonly SqlParameter[];
  legs: readonly Leg[];
  columns: readonly AnswerColumn[];
  warnings: readonly string[];
  /** The measures of PRIOR and TRAILING, by name. */
  ofPeriods: readonly string[];
  rollups: CompiledRollups;
}

export interface CompiledRollups {
  /** The rollup that answers a part of the question, by name. */
  used: ReadonlyMap<Leg, string>;
  unused: readonly UnusedRollup[];
  /** What computes those in use. */
  statements: readonly RollupStatement[];
}

export interface CompileOptions {
  dialect: Dialect;
  clock: Clock;
  rights: Rights;
  opaque: ReadonlySet<string>;
  /** The fields that the caller may not use. */
  denied: ReadonlySet<string>;
  /** How many rows to ask for; all if absent. */
  rows?: number;
  /** Whether to read the tables even if a rollup fits. */
  isWithoutRollups?: boolean;
  /** Whether texts are bound instead of being written as literals. */
  bindsTexts?: boolean;
}

/**
 * Throws `VALIDATION_FAILED` for unknown names and wrong expressions, and `QUESTION_UNANSWERABLE` where an answer would
 * be wrong.
 */
export function compileQuestion(
  definition: ModelDefinition,
  input: QuestionInput,
  { rows, denied, isWithoutRollups = false, bindsTexts = false, ...options }: CompileOptions,
): CompiledQuestion {
  const { dialect, clock } = options;
  const { question, columns, warnings, ofPeriods } = bindQuestion(definition, input, { clock, denied });
  const limited = rows === undefined ? question : { ...question, limit: rows };
  const bound = isWithoutRollups || definition.rollups.size === 0 ? NONE : bindRollups(definition, { clock, denied });
  const params: SqlParameter[] = [];
  const source = sourceOf(definition, { ...options, params });
  const model = semanticModel(definition);
  const plan = planQuestion(model, source, limited, { dialect, params, bindsTexts, ...clock, rollups: bound.rollups });
  const { rollups, ...answered } = answerable(definition, plan, denied);
  const compute = (table: RollupTable) => {
    const own: SqlParameter[] = [];
    const rollup = planRollup(model, sourceOf(definition, { ...options, params: own }), table, {
      ...{ dialect, params: own },
      ...clock,
    });
    const { sql } = answerable(definition, rollup, denied);
    return { id: table.rollup.id, sql, params: own };
  };
  return {
    dialect,
    columns,
    warnings,
    ofPeriods,
    ...answered,
    rollups: compiledRollups(rollups, bound.unusable, compute),
  };
}

const NONE: BoundRollups = { rollups: [], unusable: [] };

function compiledRollups(
  { used, unused }: RollupChoice,
  unusable: readonly UnusedRollup[],
  compute: (table: RollupTable) => RollupStatement,
): CompiledRollups {
  const tables = new Set([...used.values()].map(({ table }) => table));
  return {
    used: new Map([...used].map(([leg, { table }]) => [leg, table.rollup.name])),
    unused: [...unused.map(({ rollup: { name }, reason }) => ({ name, reason })), ...unusable],
    statements: [...tables].map(compute),
  };
}

/** The same for the rows behind a number. */
export function compileRows(
  definition: ModelDefinition,
  input: RowsInput,
  { denied, ...options }: CompileOptions,
): Omit<CompiledQuestion, 'warnings' | 'ofPeriods' | 'rollups'> {
  const { dialect, clock } = options;
  const { question, columns } = bindRows(definition, input, { clock, denied });
  const params: SqlParameter[] = [];
  const source = sourceOf(definition, { ...options, params });
  const plan = planRows(semanticModel(definition), source, question, { dialect, params, ...clock });
  const { rollups: _none, ...answered } = answerable(definition, plan, denied);
  return { dialect, columns, ...answered };
}

/** The same for all rows of a table, in any order. Its columns are named `c1`, `c2`, …. */
export function compileTable(
  definition: ModelDefinition,
  input: TableInput,
  { denied, ...options }: CompileOptions,
): Pick<CompiledQuestion, 'dialect' | 'sql' | 'params' | 'columns'> {
  const { dialect, clock } = options;
  const { question, columns } = bindTable(definition, input, { clock, denied });
  const params: SqlParameter[] = [];
  const source = sourceOf(definition, { ...options, params });
  const plan = planRows(semanticModel(definition), source, question, { dialect, params, ...clock });
  const { sql } = answerable(definition, plan, denied);
  return { dialect, columns, sql, params };
}

export interface CompiledGroups extends BoundGroups {
  dialect: Dialect;
  sql: string;
  params: readonly SqlParameter[];
}

/**
 * The rows of a table in groups, with what the measures are computed from. Throws `VALIDATION_FAILED`, and
 * `QUESTION_UNANSWERABLE` unless each row of the table is in exactly one group.
 */
export function compileGroups(
  definition: ModelDefinition,
  input: GroupsInput,
  { denied, ...options }: CompileOptions,
): CompiledGroups {
  const { dialect, clock } = options;
  const bound = bindGroups(definition, input, { clock, denied });
  const params: SqlParameter[] = [];
  const source = sourceOf(definition, { ...options, params });
  const plan = planQuestion(semanticModel(definition), source, bound.question, { dialect, params, ...clock });
  const { sql, legs } = answerable(definition, plan, denied);
  const { alias } = definition.tables.get(input.tableId)!;
  if (legs.some(({ home, repeatsRows, addsGroups }) => home !== input.tableId || repeatsRows || addsGroups))
    throw unanswerable(
      `In a blend, measures can aggregate only the rows of ${alias}, and not those of related tables.`,
    );
  return { ...bound, dialect, sql: withWholeSums(sql, bound.question, dialect), params };
}

/** Sums of integers have no declared digits in Postgres, and would be read as decimals. */
function withWholeSums(sql: string, { dimensions, measures }: Question, dialect: Dialect): string {
  if (dialect === 'duckdb') return sql;
  const isSum = ({ tree }: Labelled) => tree.kind === 'call' && tree.name === 'SUM' && tree.type === 'integer';
  const columns = [...dimensions, ...measures].map((each) =>
    isSum(each) ? `CAST(${each.label} AS numeric(38, 0)) AS ${each.label}` : each.label,
  );
  return `SELECT ${columns.join(', ')} FROM (\n${sql}\n) AS computed`;
}

const unanswerable = (detail: string) =>
  new AppError('QUESTION_UNANSWERABLE', { detail, errors: [{ pointer: '', code: '5003', message: detail }] });

function answerable(
  definition: ModelDefinition,
  plan: Plan,
  denied: ReadonlySet<string>,
): Extract<Plan, { sql: string }> {
  if ('sql' in plan) {
    assertJoinable(definition, plan.legs, denied);
    return plan;
  }
  throw new AppError('QUESTION_UNANSWERABLE', {
    detail: plan.problems[0]!.message,
    errors: plan.problems.map(({ code, message }) => ({ pointer: '', code: String(code), message })),
  });
}

/** A join shows which values of its keys are equal, so the caller must be allowed to use the keys. */
function assertJoinable({ tables, fields }: ModelDefinition, legs: readonly Leg[], denied: ReadonlySet<string>): void {
  const keys = legs.flatMap(({ hops }) => hops.flatMap(({ from, to }) => [from.fieldId, to.fieldId]));
  const key = keys.find((id) => denied.has(id));
  if (key === undefined) return;
  const { tableId, name } = fields.get(key)!;
  const message = `The tables are joined by ${tables.get(tableId)!.alias}.${name}, which you may not use.`;
  throw new AppError('QUESTION_UNANSWERABLE', {
    detail: message,
    errors: [{ pointer: '', code: '2004', message }],
  });
}

/** Throws `SOURCE_NOT_QUERYABLE`. */
export async function dialectOf(
  { sourceId, workspaceId }: ModelDefinition['model'],
  find: (workspaceId: string, sourceId: string) => Promise<LiveSource>,
): Promise<Dialect> {
  if (sourceId === DATASETS) return 'duckdb';
  const { type } = await find(workspaceId, sourceId);
  if (type === 'postgres') return 'postgres';
  throw new AppError('SOURCE_NOT_QUERYABLE', {
    detail: `Only models over datasets and Postgres can be queried, not models over ${type}. Load the tables into datasets.`,
  });
}

import type { SqlParameter } from '../../data/expressions/index.ts';
import type { Leg } from '../../data/semantics/legs.ts';
import { type Plan, planQuestion, planRows } from '../../data/semantics/plan.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { DATASETS, type ModelDefinition } from '../models/index.ts';
import type { LiveSource } from '../queries/index.ts';
import type { Rights } from '../row-rights/index.ts';
import { bindQuestion } from './bind-question.ts';
import { bindRows } from './bind-rows.ts';
import type { AnswerColumn } from './binder.ts';
import type { Clock } from './conditions.ts';
import { type Dialect, semanticModel, sourceOf } from './model-source.ts';
import type { QuestionInput, RowsInput } from './schemas.ts';

export interface CompiledQuestion {
  dialect: Dialect;
  sql: string;
  params: readonly SqlParameter[];
  legs: readonly Leg[];
  columns: readonly AnswerColumn[];
  warnings: readonly string[];
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
}

/**
 * Throws `VALIDATION_FAILED` for unknown names and wrong expressions, and `QUESTION_UNANSWERABLE` where an answer would be wrong.
 */
export function compileQuestion(
  definition: ModelDefinition,
  input: QuestionInput,
  { rows, denied, ...options }: CompileOptions,
): CompiledQuestion {
  const { dialect, clock } = options;
  const { question, columns, warnings } = bindQuestion(definition, input, { clock, denied });
  const limited = rows === undefined ? question : { ...question, limit: rows };
  const params: SqlParameter[] = [];
  const source = sourceOf(definition, { ...options, params });
  const plan = planQuestion(semanticModel(definition), source, limited, { dialect, params, ...clock });
  return { dialect, columns, warnings, ...answerable(definition, plan, denied) };
}

/** The same for the rows behind a number. */
export function compileRows(
  definition: ModelDefinition,
  input: RowsInput,
  { denied, ...options }: CompileOptions,
): Omit<CompiledQuestion, 'warnings'> {
  const { dialect, clock } = options;
  const { question, columns } = bindRows(definition, input, { clock, denied });
  const params: SqlParameter[] = [];
  const source = sourceOf(definition, { ...options, params });
  const plan = planRows(semanticModel(definition), source, question, { dialect, params, ...clock });
  return { dialect, columns, ...answerable(definition, plan, denied) };
}

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

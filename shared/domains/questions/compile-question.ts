import type { SqlParameter } from '../../data/expressions/index.ts';
import type { Leg } from '../../data/semantics/legs.ts';
import { planQuestion } from '../../data/semantics/plan.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { DATASETS, type ModelDefinition } from '../models/index.ts';
import type { LiveSource } from '../queries/index.ts';
import type { Rights } from '../row-rights/index.ts';
import { type AnswerColumn, bindQuestion } from './bind-question.ts';
import type { Clock } from './conditions.ts';
import { type Dialect, semanticModel, sourceOf } from './model-source.ts';
import type { QuestionInput } from './schemas.ts';

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
  if ('sql' in plan) return { dialect, columns, warnings, ...plan };
  throw new AppError('QUESTION_UNANSWERABLE', {
    detail: plan.problems[0]!.message,
    errors: plan.problems.map(({ code, message }) => ({ pointer: '', code: String(code), message })),
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
    detail: `Questions can be asked to models over datasets and Postgres, not over ${type}. Load its tables into datasets.`,
  });
}

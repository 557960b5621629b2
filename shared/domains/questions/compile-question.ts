import type { SqlParameter } from '../../data/expressions/index.ts';
import type { Leg } from '../../data/semantics/legs.ts';
import { planQuestion } from '../../data/semantics/plan.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { DATASETS, type DIALECTS, type ModelDefinition } from '../models/index.ts';
import type { LiveSource } from '../queries/index.ts';
import { type AnswerColumn, bindQuestion } from './bind-question.ts';
import type { Clock } from './conditions.ts';
import { semanticModel, sourceOf } from './model-source.ts';
import type { QuestionInput } from './schemas.ts';

export type Dialect = (typeof DIALECTS)[number];

export interface CompiledQuestion {
  dialect: Dialect;
  sql: string;
  params: readonly SqlParameter[];
  legs: readonly Leg[];
  columns: readonly AnswerColumn[];
  warnings: readonly string[];
}

/**
 * Throws `VALIDATION_FAILED` for unknown names and wrong expressions, `QUESTION_UNANSWERABLE` where an answer would be wrong,
 * and `SOURCE_NOT_QUERYABLE` for a database whose dialect expressions do not have.
 */
export function compileQuestion(
  definition: ModelDefinition,
  input: QuestionInput,
  { dialect, clock, rows }: { dialect: Dialect; clock: Clock; rows?: number },
): CompiledQuestion {
  const { question, columns, warnings } = bindQuestion(definition, input, clock);
  const limited = rows === undefined ? question : { ...question, limit: rows };
  const plan = planQuestion(semanticModel(definition), sourceOf(definition), limited, { dialect, ...clock });
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

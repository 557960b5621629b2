import * as Type from 'typebox';
import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import { answerQuestion } from './answer-question.ts';
import type { QuestionDeps } from './question-context.ts';
import type { QuestionInput } from './schemas.ts';

/** Which of the values of a field are wanted. */
export const valuesProperties = {
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Returns only texts that contain this, in upper or lower case.',
    }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
  offset: Type.Integer({
    minimum: 0,
    maximum: 20_000,
    default: 0,
    description: 'How many values to leave out, to continue where an earlier reply ended.',
  }),
};

export interface ValuesCommand {
  modelId: string;
  principal: Principal;
  fieldId: string;
  /** Where the request names the field. */
  pointer: string;
  search?: string | undefined;
  filters: QuestionInput['filters'];
  limit: number;
  offset: number;
  timezone: string;
  timeoutMs: number;
  maxAgeSeconds?: number | undefined;
}

export interface DistinctValues {
  values: (string | number | boolean)[];
  truncated: boolean;
  asOf: string;
  timezone: string;
}

const COLUMN = 'value';

/**
 * The values of a field in the rows that the caller may see, each once, in ascending order and without nulls. Throws as
 * `answerQuestion` does.
 */
export async function distinctValues(
  deps: QuestionDeps,
  { fieldId, pointer, search, limit, offset, ...command }: ValuesCommand,
): Promise<DistinctValues> {
  const found =
    search === undefined ? [] : [{ column: COLUMN, op: 'contains' as const, values: [search], ignoreCase: true }];
  const question = {
    ...command,
    dimensions: [{ fieldId, label: COLUMN }],
    measures: [],
    resultFilters: [{ column: COLUMN, op: 'not_null' as const, values: [] }, ...found],
    sort: [{ column: COLUMN, direction: 'asc' as const }],
    totals: 'none' as const,
    limit: offset + limit,
  };
  const { rowsJson, truncated, asOf, timezone } = await answerQuestion(deps, question).catch((error: unknown) => {
    throw valuesError(error, pointer);
  });
  const values = (JSON.parse(rowsJson) as [DistinctValues['values'][number]][]).map(([value]) => value);
  return { values: values.slice(offset), truncated, asOf, timezone };
}

/** The places of issues as the caller of this operation knows them. */
function valuesError(error: unknown, pointer: string): unknown {
  if (!(error instanceof AppError) || error.code !== 'VALIDATION_FAILED') return error;
  const errors = error.errors.map((issue): Issue => {
    if (issue.pointer.startsWith('/dimensions/0')) return { ...issue, pointer };
    if (!issue.pointer.startsWith('/resultFilters/1')) return issue;
    return { pointer: '/search', code: 'TYPE', message: 'needs a field with texts' };
  });
  return new AppError('VALIDATION_FAILED', { errors, cause: error });
}

import { AppError } from '../../../platform/errors/app-error.ts';
import {
  type Answer,
  errorOfStatement,
  type QueryCommand,
  type QueryDeps,
  type ResultFormat,
  runQuery,
} from '../queries/index.ts';
import { boundValues } from './parameter-values.ts';
import type { SavedQuery } from './records.ts';

export type RunSaved = Omit<QueryCommand, 'workspaceId' | 'sql' | 'sourceId' | 'datasetIds' | 'params'> & {
  params: Parameters<typeof boundValues>[1];
};

/**
 * Runs the current version like any statement, with the same limits and cached answers. Throws `VALIDATION_FAILED` for
 * values that are not those of its parameters.
 */
export async function runSaved(
  deps: QueryDeps,
  { sql, sourceId, datasetIds, workspaceId, params: declared }: SavedQuery,
  { params, ...options }: RunSaved,
  format: ResultFormat,
): Promise<Answer> {
  const { values, issues } = boundValues(declared, params);
  if (issues.length > 0) throw new AppError('VALIDATION_FAILED', { errors: issues });
  const statement = {
    workspaceId,
    sql,
    ...(sourceId === null ? {} : { sourceId }),
    ...(datasetIds === null ? {} : { datasetIds }),
    params: values,
    ...options,
  };
  return runQuery(deps, statement, format).catch((error: unknown) => {
    throw errorOfStatement(error, { isShown: true });
  });
}

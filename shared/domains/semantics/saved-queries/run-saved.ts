import { quoteIdentifier } from '../../../data/duckdb/quoting.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import {
  type Answer,
  errorOfStatement,
  type QueryCommand,
  type QueryDeps,
  type ResultFormat,
  runQuery,
} from '../queries/index.ts';
import { boundValues, withSamples } from './parameter-values.ts';
import type { SavedQuery } from './records.ts';
import { type OverSaved, SAVED_ROWS, statementOver } from './statement-over.ts';

export type RunSaved = Omit<QueryCommand, 'workspaceId' | 'sql' | 'sourceId' | 'datasetIds' | 'params'> & {
  params: Parameters<typeof boundValues>[1];
  /** A statement to run over the rows of the query, in place of the query itself. Not for MySQL. */
  over?: OverSaved | undefined;
};

/**
 * Runs the current version like any statement, with the same limits and cached answers. Throws `VALIDATION_FAILED` for
 * values that are not those of its parameters.
 */
export async function runSaved(
  deps: QueryDeps,
  saved: SavedQuery,
  { params, over, ...options }: RunSaved,
  format: ResultFormat,
): Promise<Answer> {
  const { sourceId, datasetIds, workspaceId } = saved;
  const { values, issues } = boundValues(saved.params, params);
  if (issues.length > 0) throw new AppError('VALIDATION_FAILED', { errors: issues });
  const around = over && statementOver(saved, over);
  const statement = {
    workspaceId,
    sql: around?.sql ?? saved.sql,
    ...(sourceId === null ? {} : { sourceId }),
    ...(datasetIds === null ? {} : { datasetIds }),
    params: { ...values, ...around?.params },
    ...options,
  };
  return runQuery(deps, statement, format).catch((error: unknown) => {
    throw errorOfStatement(error, { isShown: !around });
  });
}

/**
 * The columns of the result, without computing rows. Values of parameters do not change them, so those that a run needs
 * may be absent. Throws the errors of the statement.
 */
export async function columnsOfSaved(
  deps: QueryDeps,
  saved: SavedQuery,
  { params, ...options }: Pick<RunSaved, 'params' | 'principal' | 'timeoutMs' | 'timezone'>,
): Promise<Answer['columns']> {
  const named = saved.params.map(({ name }) => name).filter((name) => Object.hasOwn(params, name));
  const known = Object.fromEntries(named.map((name) => [name, params[name]!]));
  const sql = `SELECT * FROM ${quoteIdentifier(SAVED_ROWS)} LIMIT 0`;
  const command = { ...options, params: withSamples(saved.params, known), over: { sql, params: [] }, limit: 1 };
  return (await runSaved(deps, saved, command, 'rows')).columns;
}

import type { QueryParameters } from '../../data/duckdb/parameters.ts';
import type { Issue } from '../../platform/errors/app-error.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { refuseTwoPlaces } from './command.ts';
import { mentionedDatasets } from './dataset-tables.ts';
import type { QueryDeps } from './run-query.ts';

export interface Statement {
  workspaceId: string;
  sql: string;
  datasetIds?: string[];
  sourceId?: string;
  /** Parameters without a value are null. */
  params: QueryParameters;
}

export interface StatementDescription {
  /** Of a source they are known only when the statement runs. */
  columns: { name: string; type: string }[];
  tables: string[];
  /** `1` for `$1`, `name` for `$name`. */
  parameters: string[];
}

/** What a statement reads, beside what it would give. */
export interface DescribedStatement extends StatementDescription {
  /** Ids of the datasets among `tables`, and of those that were named. */
  datasetIds: string[];
}

type Deps = Pick<QueryDeps, 'datasets' | 'engine' | 'live'>;

/** What the statement would give, without running it. Throws the statement's own errors. */
export async function describeStatement(deps: Deps, statement: Statement): Promise<DescribedStatement> {
  const { workspaceId, sql, sourceId, params } = statement;
  refuseTwoPlaces(statement);
  if (sourceId !== undefined) {
    const source = await deps.live.find(workspaceId, sourceId);
    return { columns: [], datasetIds: [], ...(await deps.live.check(source, sql)) };
  }
  const datasets = await mentionedDatasets(deps, statement);
  const tables = datasets.map(({ name, columns }) => ({ name, columns }));
  const told = await deps.engine.describe({ sql, params, tables }).catch(orTooMuchToPlan);
  const read = datasets.filter(({ name }) => told.tables.includes(name)).map(({ id }) => id);
  return { ...told, datasetIds: [...new Set([...read, ...(statement.datasetIds ?? [])])] };
}

/** Constant parts are computed before anything is read: a bomb among them goes off here. */
function orTooMuchToPlan(cause: unknown): never {
  if (!(cause instanceof AppError) || (cause.code !== 'QUERY_TIMEOUT' && cause.code !== 'QUERY_TOO_HEAVY')) throw cause;
  const message = 'The constant parts of the statement take too long to compute.';
  throw new AppError('SQL_ERROR', {
    cause,
    detail: message,
    errors: [{ pointer: '/sql', code: 'SQL_ERROR', message }],
  });
}

export interface Verdict extends StatementDescription {
  valid: boolean;
  errors: Issue[];
}

const STATEMENT_FAULTS = new Set(['SQL_PARSE', 'SQL_NOT_READ_ONLY', 'SQL_ERROR']);

/** The same as a verdict: what is wrong with the statement is an answer, what is wrong around it is thrown. */
export async function validateStatement(deps: Deps, statement: Statement): Promise<Verdict> {
  try {
    const { datasetIds: _datasetIds, ...told } = await describeStatement(deps, statement);
    return { valid: true, errors: [], ...told };
  } catch (error) {
    if (!(error instanceof AppError) || !STATEMENT_FAULTS.has(error.code)) throw error;
    const errors =
      error.errors.length > 0 ? error.errors : [{ pointer: '/sql', code: error.code, message: error.message }];
    return { valid: false, errors: [...errors], columns: [], tables: [], parameters: [] };
  }
}

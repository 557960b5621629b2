import type { QueryParameters } from '../../../data/duckdb/parameters.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import type { Issue } from '../../../platform/errors/app-error.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { assertOneTarget } from './command.ts';
import { assertRawSql, type Columns, type DatasetRights, datasetRights, withVisibleColumns } from './dataset-rights.ts';
import { mentionedDatasets } from './dataset-tables.ts';
import { withNearTables } from './near-tables.ts';
import type { QueryDeps } from './run-query.ts';

export interface Statement {
  workspaceId: string;
  principal: Principal;
  sql: string;
  datasetIds?: string[];
  sourceId?: string;
  /** Parameters without a value are null. */
  params: QueryParameters;
}

export interface StatementDescription {
  /** Empty for a source, whose columns are known only when the statement runs. */
  columns: { name: string; type: string }[];
  tables: string[];
  /** `1` for `$1`, `name` for `$name`. */
  parameters: string[];
}

/** A description with the datasets that the statement reads. */
export interface DescribedStatement extends StatementDescription {
  /** Ids of the datasets among `tables` and in the request. */
  datasetIds: string[];
  /** The datasets that the statement mentions, as they are. */
  datasets: Columns[];
  /** What the caller may read of them. */
  rights: DatasetRights;
}

type Deps = Pick<QueryDeps, 'datasets' | 'engine' | 'live' | 'rights'>;

/** Describes the result of a statement without running it. Throws the errors of the statement. */
export async function describeStatement(deps: Deps, statement: Statement): Promise<DescribedStatement> {
  const { workspaceId, principal, sql, sourceId } = statement;
  assertOneTarget(statement);
  if (sourceId !== undefined) {
    const source = await deps.live.find(workspaceId, sourceId);
    await assertRawSql(deps, principal, sourceId);
    const rights = { fingerprint: 'all', restrictions: {} };
    return { columns: [], datasetIds: [], datasets: [], rights, ...(await deps.live.check(source, sql)) };
  }
  return describeDatasetStatement(deps, statement);
}

/** The same for a statement over datasets. */
export async function describeDatasetStatement(
  deps: Pick<Deps, 'datasets' | 'engine' | 'rights'>,
  statement: Omit<Statement, 'sourceId'>,
): Promise<DescribedStatement> {
  const { principal, sql, params } = statement;
  const datasets = await mentionedDatasets(deps, statement);
  const rights = await datasetRights(deps, principal, datasets);
  const tables = datasets
    .map((dataset) => withVisibleColumns(dataset, rights))
    .map(({ name, columns }) => ({ name, columns }));
  const description = await deps.engine.describe({ sql, params, tables }).catch(rethrowPlanLimit);
  const read = datasets.filter(({ name }) => description.tables.includes(name)).map(({ id }) => id);
  const known = datasets.map(({ name, columns }) => ({ name, columns }));
  return {
    ...description,
    rights,
    datasets: known,
    datasetIds: [...new Set([...read, ...(statement.datasetIds ?? [])])],
  };
}

/** The engine computes constant parts even without running the statement, so they can exceed its limits here. */
function rethrowPlanLimit(cause: unknown): never {
  if (!(cause instanceof AppError) || (cause.code !== 'QUERY_TIMEOUT' && cause.code !== 'QUERY_TOO_HEAVY')) throw cause;
  const message = 'The constant parts of the statement take too long to compute.';
  throw new AppError('SQL_ERROR', {
    cause,
    detail: message,
    errors: [{ pointer: '/sql', code: 'SQL_ERROR', message }],
  });
}

export interface ValidatedStatement extends StatementDescription {
  valid: boolean;
  errors: Issue[];
}

const STATEMENT_ERROR_CODES = new Set(['SQL_PARSE', 'SQL_NOT_READ_ONLY', 'SQL_ERROR']);

/** Describes a statement and returns its errors; other errors are thrown. */
export async function validateStatement(deps: Deps, statement: Statement): Promise<ValidatedStatement> {
  try {
    const { columns, tables, parameters } = await withNearTables(deps, statement, () =>
      describeStatement(deps, statement),
    );
    return { valid: true, errors: [], columns, tables, parameters };
  } catch (error) {
    if (!(error instanceof AppError) || !STATEMENT_ERROR_CODES.has(error.code)) throw error;
    const errors =
      error.errors.length > 0 ? error.errors : [{ pointer: '/sql', code: error.code, message: error.message }];
    return { valid: false, errors: [...errors], columns: [], tables: [], parameters: [] };
  }
}

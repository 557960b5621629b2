import { runGuarded } from '../../../../shared/data/duckdb/watchdog.ts';
import { postgresConditionColumns } from '../../../../shared/data/sql/postgres-columns.ts';
import { checkSelect } from '../../../../shared/data/sql/select-check.ts';
import type { ColumnsAnswer, ColumnsRequest } from '../../../../shared/domains/pipelines/checks/index.ts';
import { type ColumnParsers, findColumnIssues } from '../../../../shared/domains/pipelines/definition/index.ts';
import { DataError } from '../../../../shared/platform/errors/data-error.ts';
import { engines } from './engines.ts';
import { GUARD } from './limits.ts';

const COLUMNS_TIMEOUT_MS = 10_000;

/** Parses the texts of a definition with one engine, without running them or reading files. */
export async function columnIssues({ dag, broken, extracts }: ColumnsRequest): Promise<ColumnsAnswer> {
  const engine = await engines.take();
  const parsers: ColumnParsers = {
    select: (sql, tables) => unlessRejected(async () => (await checkSelect(engine, sql, { tables })).root),
    postgresCondition: (condition) => unlessRejected(() => postgresConditionColumns(condition)),
  };
  try {
    return await runGuarded(
      { interrupt: () => engine.interrupt(), run: () => findColumnIssues(dag, { broken, extracts }, parsers) },
      { ...GUARD, timeoutMs: COLUMNS_TIMEOUT_MS },
    );
  } catch (error) {
    if (!(error instanceof DataError) || error.code !== 'QUERY_TIMEOUT') throw error;
    const message = 'The columns could not be checked because too much is checked at once. Try again.';
    throw new DataError('SERVICE_BUSY', message, { cause: error });
  } finally {
    await engine.close();
  }
}

async function unlessRejected<T>(parse: () => Promise<T>): Promise<T | undefined> {
  try {
    return await parse();
  } catch (error) {
    if (error instanceof DataError && error.code !== 'QUERY_TIMEOUT') return undefined;
    throw error;
  }
}

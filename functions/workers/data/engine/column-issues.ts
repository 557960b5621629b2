import { runGuarded } from '../../../../shared/data/duckdb/watchdog.ts';
import { checkSelect } from '../../../../shared/data/sql/select-check.ts';
import type { ColumnsAnswer, ColumnsRequest } from '../../../../shared/domains/engine/index.ts';
import { findColumnIssues, type ParseSelect } from '../../../../shared/domains/pipelines/index.ts';
import { DataError } from '../../../../shared/platform/errors/data-error.ts';
import { engines } from './engines.ts';
import { GUARD } from './limits.ts';

const COLUMNS_TIMEOUT_MS = 10_000;

/** Parses the texts of a definition with one engine, without running them or reading files. */
export async function columnIssues({ dag, broken }: ColumnsRequest): Promise<ColumnsAnswer> {
  const engine = await engines.take();
  const parse: ParseSelect = async (sql, tables) => {
    try {
      return (await checkSelect(engine, sql, { tables })).root;
    } catch (error) {
      if (error instanceof DataError && error.code !== 'QUERY_TIMEOUT') return undefined;
      throw error;
    }
  };
  try {
    return await runGuarded(
      { interrupt: () => engine.interrupt(), run: () => findColumnIssues(dag, new Set(broken), parse) },
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

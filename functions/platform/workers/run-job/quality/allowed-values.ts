import { withGuardedEngine } from '../../../../../shared/data/duckdb/guarded-engine.ts';
import { MAX_ALLOWED_VALUES, NUMBERS, type QualityTest } from '../../../../../shared/data/quality/tests.ts';
import { checkSelect } from '../../../../../shared/data/sql/select-check.ts';
import { referencedBy } from '../../../../../shared/domains/quality/index.ts';
import { datasetRepository } from '../../../../../shared/domains/warehouse/datasets/index.ts';
import { DataError } from '../../../../../shared/platform/errors/data-error.ts';
import type { RefreshWorker } from '../dataset-refresh/refresh-worker.ts';
import type { JobControl } from '../job-kind.ts';
import { attachDatasets } from './attach-table.ts';
import { leftUntil, STATEMENT_LIMITS, type StatementLimits } from './deadline.ts';
import { notEvaluated } from './not-evaluated.ts';

interface Asked {
  workspaceId: string;
  control: Pick<JobControl, 'signal' | 'die'>;
  /** When the invocation has to be done, by `performance.now()`. */
  deadline: number;
  statement?: StatementLimits;
}

/**
 * The test with the values that its query returns now, or the reason why it returns none; other tests stay as they are.
 */
export async function withAllowedValues(
  worker: RefreshWorker,
  asked: Asked,
  test: QualityTest,
): Promise<QualityTest | { error: string }> {
  if (test.type !== 'allowed_values' || test.config.query === undefined) return test;
  const { query, ...config } = test.config;
  try {
    return { ...test, config: { ...config, values: await valuesOf(worker, asked, query, referencedBy(test)) } };
  } catch (error) {
    return { error: `The query of the allowed values fails: ${notEvaluated(error, asked.control).error}` };
  }
}

type Value = string | number | boolean;

async function valuesOf(
  worker: RefreshWorker,
  { workspaceId, control, deadline, statement = STATEMENT_LIMITS }: Asked,
  query: string,
  mentioned: readonly string[],
): Promise<Value[]> {
  const { signal, die } = control;
  const found = await datasetRepository(worker.table).findMany(workspaceId, mentioned);
  const limits = { ...statement, timeoutMs: leftUntil(deadline, statement.timeoutMs), signal, die };
  return withGuardedEngine(worker.engineResources, limits, async (engine) => {
    const names = new Set(found.map(({ name }) => name));
    const tables = await attachDatasets(worker, engine, { workspaceId, names, nameOf: (dataset) => dataset });
    await engine.lock();
    const { sql } = await checkSelect(engine, query, { tables: [...tables.keys()] });
    const { columns, rowsJson, truncated } = await engine.query(sql, {
      limit: MAX_ALLOWED_VALUES,
      maxBytes: 4 * 1024 * 1024,
    });
    if (truncated)
      throw new DataError('SQL_ERROR', `It returns more than ${MAX_ALLOWED_VALUES} values; use foreign_key.`);
    const isNumber = NUMBERS.test(columns[0]!.type);
    const values = (JSON.parse(rowsJson) as (Value | null)[][]).flatMap(([value]) => value ?? []);
    if (values.length === 0) throw new DataError('SQL_ERROR', 'It returns no values.');
    // Decimals and large integers are texts in the wire format.
    return isNumber ? values.map(Number) : values;
  });
}

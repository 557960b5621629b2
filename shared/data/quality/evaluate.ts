import { DataError, type DataErrorCode } from '../../platform/errors/data-error.ts';
import type { Engine } from '../duckdb/engine.ts';
import type { EngineParameter } from '../duckdb/parameters.ts';
import { quoteIdentifier } from '../duckdb/quoting.ts';
import { checkCondition } from '../sql/condition-check.ts';
import { messageWithoutValues } from '../sql/quoted-values.ts';
import { checkSelect } from '../sql/select-check.ts';
import { type CompiledTest, compileTest, type TestContext } from './compile.ts';
import type { QualityTest } from './tests.ts';

/** A sample of the rows that failed. */
export interface Sample {
  columns: string[];
  rows: unknown[][];
}

export interface Evaluation {
  /** Number of rows that the test applies to, after `where` and without skipped empty values. */
  evaluatedRows: number;
  failedRows: number;
  /** Why the table as a whole fails, for tests that do not check single rows. */
  issue?: string;
  compiled: CompiledTest;
  sample: Sample | null;
  /** Set if the database of the table has counted the rows, and not the engine. */
  ranIn?: 'database';
}

/** Errors caused by the test itself, not by the machine. */
export type NotEvaluated = { error: string };

const OF_THE_TEST: ReadonlySet<DataErrorCode> = new Set([
  'SQL_PARSE',
  'SQL_NOT_READ_ONLY',
  'SQL_ERROR',
  'NOT_FOUND',
  'SCHEMA_MISMATCH',
]);
export const MAX_SAMPLE_BYTES = 4096;
export const DEFAULT_SAMPLE = 5;

/**
 * Runs a test over the table `numbered` of a locked engine, whose rows `context.rowNumber` numbers; `input` is the same
 * table without the numbers. Returns the reason if a test cannot be run. Throws errors that are worth a retry, such as
 * a lack of memory.
 */
export async function check(
  engine: Engine,
  test: QualityTest,
  context: TestContext,
): Promise<Evaluation | NotEvaluated> {
  try {
    await checkAuthorSql(engine, test, context);
    const compiled = compileTest(test, context);
    const [[evaluated, failed] = []] = await engine.run(countsOf(compiled), compiled.params);
    const evaluation = { evaluatedRows: Number(evaluated), failedRows: Number(failed), compiled, sample: null };
    if (compiled.kind === 'count') {
      const issue = compiled.issue(evaluation.evaluatedRows);
      return { ...evaluation, ...(issue === undefined ? {} : { issue }) };
    }
    const sample = evaluation.failedRows > 0 ? await sampleOf(engine, test, compiled, context) : null;
    return { ...evaluation, sample };
  } catch (error) {
    return { error: reasonOf(error) };
  }
}

/** Why a test cannot be run. Throws all other errors. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof DataError) || !OF_THE_TEST.has(error.code)) throw error;
  return messageWithoutValues(error);
}

/** The author's SQL may only read the checked table. */
export async function checkAuthorSql(engine: Engine, test: QualityTest, context: TestContext): Promise<void> {
  if (test.type === 'custom_sql') {
    await checkSelect(engine, context.bindText(test.config.sql, 1).sql, { tables: ['input'] });
  } else if (test.config.where !== undefined) {
    await checkCondition(engine, context.bindText(test.config.where, 1).sql);
  }
}

function countsOf(compiled: CompiledTest): string {
  switch (compiled.kind) {
    case 'query':
      return `SELECT (SELECT count(*) FROM input), (SELECT count(*) FROM (\n${compiled.sql}\n))`;
    case 'count':
      return `SELECT count(*), 0 FROM numbered AS input WHERE ${compiled.checked}`;
    case 'rows':
      return `SELECT count(*), count(*) FILTER (bad) FROM (
        SELECT (${compiled.failing}) AS bad FROM numbered AS input WHERE ${compiled.checked})`;
  }
}

/** A statement that returns the numbers of the failing rows. */
export function failingRows({ checked, failing }: CompiledTest & { kind: 'rows' }, rowNumber: string): string {
  const number = quoteIdentifier(rowNumber);
  return `SELECT n FROM (
    SELECT ${number} AS n, (${failing}) AS bad FROM numbered AS input WHERE ${checked}) WHERE bad`;
}

/** Statements that return the first failing rows of a test of rows, in their order, and the number of all. */
export function failingRowsSql(
  test: QualityTest,
  context: TestContext,
  limit: number,
): { sql: string; count: string; params: EngineParameter[] } {
  const compiled = compileTest(test, context);
  if (compiled.kind === 'count') throw new DataError('SCHEMA_MISMATCH', `${test.type} does not check single rows.`);
  const { params } = compiled;
  if (compiled.kind === 'query') {
    const rows = `FROM (\n${compiled.sql}\n)`;
    return { sql: `SELECT * ${rows} LIMIT ${limit}`, count: `SELECT count(*) ${rows}`, params };
  }
  const numbers = failingRows(compiled, context.rowNumber);
  const sql = rowsOf(`SELECT n FROM (${numbers}) ORDER BY n LIMIT ${limit}`, context.rowNumber);
  return { sql, count: `SELECT count(*) FROM (${numbers})`, params };
}

/** The rows with the numbers that a statement returns, without the numbers. */
function rowsOf(numbers: string, rowNumber: string): string {
  const number = quoteIdentifier(rowNumber);
  return `SELECT * EXCLUDE (${number}) FROM numbered WHERE ${number} IN (${numbers}) ORDER BY ${number}`;
}

async function sampleOf(
  engine: Engine,
  test: QualityTest,
  compiled: CompiledTest,
  context: TestContext,
): Promise<Sample | null> {
  const limit = test.config.sampleLimit ?? DEFAULT_SAMPLE;
  if (limit === 0 || compiled.kind === 'count') return null;
  const { rowNumber } = context;
  const sql = compiled.kind === 'query' ? compiled.sql : rowsOf(failingRows(compiled, rowNumber), rowNumber);
  for (let rows = limit; rows > 0; rows = Math.floor(rows / 2)) {
    try {
      const found = await engine.query(sql, { params: compiled.params, limit: rows, maxBytes: MAX_SAMPLE_BYTES });
      return { columns: found.columns.map(({ name }) => name), rows: JSON.parse(found.rowsJson) as unknown[][] };
    } catch (error) {
      if (!(error instanceof DataError) || error.code !== 'RESULT_TOO_LARGE') throw error;
    }
  }
  return null;
}

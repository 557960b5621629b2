import { DataError, type DataErrorCode } from '../../platform/errors/data-error.ts';
import { quotesValue } from '../duckdb/duckdb-errors.ts';
import type { Engine } from '../duckdb/engine.ts';
import { quoteIdentifier } from '../duckdb/quoting.ts';
import { checkCondition } from '../sql/condition-check.ts';
import { checkSelect } from '../sql/select-check.ts';
import { type CompiledTest, compileTest, type TestContext } from './compile.ts';
import type { QualityTest } from './tests.ts';

/** Rows that failed, to be looked at. */
export interface Sample {
  columns: string[];
  rows: unknown[][];
}

export interface Evaluation {
  /** Rows that the test is about, after `where` and without the empty values that it passes over. */
  evaluatedRows: number;
  failedRows: number;
  /** Why the table fails as a whole, of tests that are not about single rows. */
  issue?: string;
  compiled: CompiledTest;
  sample: Sample | null;
}

/** A failure that says something of the test, not of the machine that it ran on. */
export type NotEvaluated = { error: string };

const OF_THE_TEST: ReadonlySet<DataErrorCode> = new Set([
  'SQL_PARSE',
  'SQL_NOT_READ_ONLY',
  'SQL_ERROR',
  'NOT_FOUND',
  'SCHEMA_MISMATCH',
]);
/** The result is read by people who may not see rows, and the engine's own message quotes the value. */
const VALUE_AT_FAULT = 'A value cannot be converted, or is out of range.';
const MAX_SAMPLE_BYTES = 4096;
const DEFAULT_SAMPLE = 5;

/**
 * Runs a test over the table `numbered` of a locked engine, whose rows `context.rowNumber` counts; `input` is the same without
 * the numbers. Answers why a test cannot be run; throws what is worth another try, such as a lack of memory.
 */
export async function check(
  engine: Engine,
  test: QualityTest,
  context: TestContext,
): Promise<Evaluation | NotEvaluated> {
  try {
    await refuseHostile(engine, test, context);
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
    if (!(error instanceof DataError) || !OF_THE_TEST.has(error.code)) throw error;
    return { error: quotesValue(error) ? VALUE_AT_FAULT : error.message };
  }
}

/** The author's own SQL only reads the table that is checked. */
async function refuseHostile(engine: Engine, test: QualityTest, context: TestContext): Promise<void> {
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

/** The numbers of the rows that fail, as a statement. */
export function failingRows({ checked, failing }: CompiledTest & { kind: 'rows' }, rowNumber: string): string {
  const number = quoteIdentifier(rowNumber);
  return `SELECT n FROM (
    SELECT ${number} AS n, (${failing}) AS bad FROM numbered AS input WHERE ${checked}) WHERE bad`;
}

async function sampleOf(
  engine: Engine,
  test: QualityTest,
  compiled: CompiledTest,
  context: TestContext,
): Promise<Sample | null> {
  const limit = test.config.sampleLimit ?? DEFAULT_SAMPLE;
  if (limit === 0 || compiled.kind === 'count') return null;
  const number = quoteIdentifier(context.rowNumber);
  const sql =
    compiled.kind === 'query'
      ? compiled.sql
      : `SELECT * EXCLUDE (${number}) FROM numbered WHERE ${number} IN (${failingRows(compiled, context.rowNumber)}) ORDER BY ${number}`;
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

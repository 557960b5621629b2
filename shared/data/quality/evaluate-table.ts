import { DataError } from '../../platform/errors/data-error.ts';
import { freeName } from '../duckdb/column-names.ts';
import type { Engine } from '../duckdb/engine.ts';
import { quoteIdentifier } from '../duckdb/quoting.ts';
import { type CompiledTest, compileTest, type TestContext } from './compile.ts';
import {
  check,
  checkAuthorSql,
  DEFAULT_SAMPLE,
  type Evaluation,
  MAX_SAMPLE_BYTES,
  type NotEvaluated,
  reasonOf,
  type Sample,
} from './evaluate.ts';
import { Bound } from './parameters.ts';
import type { QualityTest } from './tests.ts';

/** Tests of one statement; more would take long to plan. */
const MAX_AT_ONCE = 250;
/** The rows of all samples together. */
export const MAX_SAMPLES_BYTES = 8 * 1024 * 1024;

type Counted = CompiledTest & { kind: 'rows' | 'count' };

interface Planned {
  index: number;
  test: QualityTest;
  compiled: Counted;
}

interface Counts {
  evaluatedRows: number;
  failedRows: number;
  /** Numbers of the first failing rows. */
  first: string[];
}

/**
 * Runs many tests over the tables `numbered` and `input`, as `check` does, but reads the table once for all tests of
 * single rows, once for all that compare rows, and once for all samples. Returns the results in the order of the tests.
 */
export async function checkTable(
  engine: Engine,
  tests: readonly QualityTest[],
  context: TestContext,
): Promise<(Evaluation | NotEvaluated)[]> {
  const results = new Map<number, Evaluation | NotEvaluated>();
  const planned: Planned[] = [];
  for (const [index, test] of tests.entries()) {
    const compiled = await compiledOrReason(engine, test, context);
    if ('error' in compiled) results.set(index, compiled);
    else if (compiled.kind === 'query') results.set(index, await check(engine, test, context));
    else planned.push({ index, test, compiled });
  }
  for (const group of groupsOf(planned)) {
    for (const [index, result] of await together(engine, group, context)) results.set(index, result);
  }
  return tests.map((_test, index) => results.get(index)!);
}

async function compiledOrReason(
  engine: Engine,
  test: QualityTest,
  context: TestContext,
): Promise<CompiledTest | NotEvaluated> {
  try {
    await checkAuthorSql(engine, test, context);
    return compileTest(test, context);
  } catch (error) {
    return { error: reasonOf(error) };
  }
}

/** Tests that compare rows sort the table, so the others are counted apart from them. */
function groupsOf(planned: readonly Planned[]): Planned[][] {
  const compares = ({ compiled }: Planned) => compiled.kind === 'rows' && compiled.failingAmong !== undefined;
  const sorts = [planned.filter((each) => !compares(each)), planned.filter(compares)];
  return sorts.flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / MAX_AT_ONCE) }, (_, i) =>
      group.slice(i * MAX_AT_ONCE, (i + 1) * MAX_AT_ONCE),
    ),
  );
}

type Result = readonly [number, Evaluation | NotEvaluated];

async function together(engine: Engine, group: readonly Planned[], context: TestContext): Promise<Result[]> {
  let counts: Counts[];
  try {
    counts = await countsOf(engine, group, context);
  } catch (error) {
    // One of the tests fails on a value, which must not hide the results of the others.
    reasonOf(error);
    return Promise.all(group.map(async ({ index, test }) => [index, await check(engine, test, context)] as const));
  }
  const samples = await samplesOf(engine, counts, context);
  return group.map(({ index, compiled }, i): Result => {
    const { evaluatedRows, failedRows, first } = counts[i]!;
    if (compiled.kind === 'count') {
      const issue = compiled.issue(evaluatedRows);
      const found = { evaluatedRows, failedRows: 0, compiled, sample: null };
      return [index, issue === undefined ? found : { ...found, issue }];
    }
    return [index, { evaluatedRows, failedRows, compiled, sample: samples(first) }];
  });
}

/** Counts for every test of the group, in one pass over the table. */
async function countsOf(engine: Engine, group: readonly Planned[], context: TestContext): Promise<Counts[]> {
  const bound = new Bound();
  const number = quoteIdentifier(context.rowNumber);
  const parts = group.map(({ test }, i) => {
    const compiled = compileTest(test, context, bound) as Counted;
    const name = (word: string) => quoteIdentifier(freeName(`${word} ${i}`, context.columns));
    return { compiled, isChecked: name('checked'), isFailing: name('failing'), limit: sampleLimit(test) };
  });
  const flags = parts.map(({ compiled, isChecked }) => `(${compiled.checked}) AS ${isChecked}`);
  const failures = parts.map(({ compiled, isChecked, isFailing }) => {
    if (compiled.kind === 'count') return `false AS ${isFailing}`;
    const failing = compiled.failingAmong?.(isChecked) ?? compiled.failing;
    return `CASE WHEN ${isChecked} THEN (${failing}) ELSE false END AS ${isFailing}`;
  });
  // Aggregates with FILTER take twenty times as long when there are hundreds of them.
  const counts = parts.flatMap(({ isChecked, isFailing, limit }) => [
    `count_if(${isChecked})`,
    `count_if(${isFailing})`,
    limit === 0 ? 'NULL' : `to_json(min(CASE WHEN ${isFailing} THEN ${number} END, ${limit}))::VARCHAR`,
  ]);
  const [row = []] = await engine.run(
    `SELECT ${counts.join(', ')} FROM (
       SELECT ${number}, ${parts.map(({ isChecked }) => isChecked).join(', ')}, ${failures.join(', ')} FROM (
         SELECT *, ${flags.join(', ')} FROM numbered AS input))`,
    bound.params,
  );
  return parts.map((_part, i) => {
    const [evaluated, failed, first] = row.slice(3 * i, 3 * i + 3);
    return { evaluatedRows: Number(evaluated), failedRows: Number(failed), first: numbersIn(first) };
  });
}

export const sampleLimit = ({ config }: QualityTest): number => config.sampleLimit ?? DEFAULT_SAMPLE;

/** Row numbers stay texts: those of many files exceed what a number holds. */
const numbersIn = (list: unknown): string[] => (typeof list === 'string' ? (list.match(/\d+/g) ?? []) : []);

/** Reads the rows of all samples at once, and returns a function that picks those of one test. */
async function samplesOf(
  engine: Engine,
  counts: readonly Counts[],
  { rowNumber }: TestContext,
): Promise<(first: readonly string[]) => Sample | null> {
  const wanted = [...new Set(counts.flatMap(({ first }) => first))];
  if (wanted.length === 0) return () => null;
  const number = quoteIdentifier(rowNumber);
  const sql = `SELECT ${number}::VARCHAR AS ${number}, * EXCLUDE (${number}) FROM numbered WHERE ${number} IN (${wanted.join(', ')})`;
  const found = await engine.query(sql, { limit: wanted.length, maxBytes: MAX_SAMPLES_BYTES }).catch(withoutSample);
  if (!found) return () => null;
  const rows = new Map((JSON.parse(found.rowsJson) as unknown[][]).map(([n, ...values]) => [String(n), values]));
  const columns = found.columns.slice(1).map(({ name }) => name);
  return (first) =>
    boundedSample(
      columns,
      first.map((n) => rows.get(n)!),
    );
}

/**
 * Samples are an extra: without them, the counts are still right. Rows may be too large, or have values that cannot be
 * shown.
 */
export function withoutSample(error: unknown): undefined {
  if (!(error instanceof DataError && error.code === 'RESULT_TOO_LARGE')) reasonOf(error);
}

/** Half as many rows until they fit. */
export function boundedSample(columns: string[], rows: unknown[][]): Sample | null {
  let kept = rows;
  while (kept.length > 0 && Buffer.byteLength(JSON.stringify(kept)) > MAX_SAMPLE_BYTES) {
    kept = kept.slice(0, Math.floor(kept.length / 2));
  }
  return kept.length === 0 ? null : { columns, rows: kept };
}

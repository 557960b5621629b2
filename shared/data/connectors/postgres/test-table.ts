import { DataError } from '../../../platform/errors/data-error.ts';
import type { Column } from '../../duckdb/column-types.ts';
import type { Engine } from '../../duckdb/engine.ts';
import { quoteIdentifier, quoteLiteral } from '../../duckdb/quoting.ts';
import { columnNames } from '../../duckdb/unique-column-names.ts';
import { type CompiledTest, compileTest, type TestContext } from '../../quality/compile.ts';
import { type Evaluation, type NotEvaluated, reasonOf } from '../../quality/evaluate.ts';
import { boundedSample, MAX_SAMPLES_BYTES, sampleLimit, withoutSample } from '../../quality/evaluate-table.ts';
import { type ServerColumn, serverColumn } from '../../quality/postgres/server-columns.ts';
import { ServerParameters, type ServerTest, serverTest } from '../../quality/postgres/server-test.ts';
import { countsSql, type ServerTable, samplesSql, valueName } from '../../quality/postgres/statements.ts';
import { columnsOf, neededColumns, type QualityTest } from '../../quality/tests.ts';
import { writeRows } from '../rows/text-rows.ts';
import type { PostgresSource } from './connection.ts';
import { inSnapshot, planExtract } from './extract.ts';
import { type Transferred, transfer } from './transfer.ts';
import { type PostgresColumn, postgresColumns, readingOf } from './types.ts';

export interface TestsOfTable {
  schema: string;
  table: string;
  tests: readonly QualityTest[];
  now: Date;
  previousRows: NonNullable<TestContext['previousRows']>;
  /** Maximum size of the copied rows. */
  maxBytes: number;
}

export interface TestedTable {
  /** In the order of the tests; undefined for those that have to be run over the copied rows. */
  results: (Evaluation | NotEvaluated | undefined)[];
  /** The columns of the copied rows, if there are tests that need them. */
  copied?: Column[];
}

/** Statements have at most 1,664 columns, of which each test takes two. */
const MAX_AT_ONCE = 500;

/**
 * Runs the tests of a table in the database where it certainly gives the result of the engine, all of them with one
 * statement, and copies the columns that the others need to `outPath`. Everything is read from one snapshot.
 */
export async function testInPostgres(
  engine: Engine,
  source: PostgresSource,
  request: TestsOfTable,
  outPath: string,
): Promise<TestedTable> {
  const found = await inSnapshot(source, async () => {
    const table = await readTable(source, request);
    const planned = planTests(request, table);
    const counted = await countTests(source, table, planned.counted);
    const copy = await transferRest(engine, source, request, planned.copied);
    // Last, because too large a sample ends the connection.
    const samples = await transferSamples(engine, source, table, counted).catch(withoutSample);
    return { ...planned, counted, samples, copy };
  });
  const results: TestedTable['results'] = request.tests.map(() => undefined);
  for (const [index, reason] of found.failed) results[index] = reason;
  const samples = found.samples && (await readSamples(engine, found.samples).catch(withoutSample));
  for (const each of found.counted) results[each.index] = evaluationOf(each, samples);
  if (!found.copy) return { results };
  const { columns } = await writeRows(engine, found.copy.table, found.copy, outPath);
  return { results, copied: columns };
}

interface DescribedTable extends Pick<ServerTable, 'relation'> {
  fields: PostgresColumn[];
  /** By their names; none if the names or texts of the server differ from those that the engine would read. */
  columns: ReadonlyMap<string, ServerColumn>;
}

async function readTable(source: PostgresSource, { schema, table }: TestsOfTable): Promise<DescribedTable> {
  const relation = `${quoteIdentifier(schema)}.${quoteIdentifier(table)}`;
  const { rows } = await source.query(`SELECT current_setting('server_encoding')`);
  const { fields } = await source.query(`SELECT * FROM ${relation} LIMIT 0`);
  const read = await postgresColumns(source, fields);
  const names = read.map(({ name }) => name);
  const isSame = rows[0]?.[0] === 'UTF8' && columnNames(names).every((name, index) => name === names[index]);
  const known = fields.flatMap(
    ({ name, dataTypeID: oid }, index) => serverColumn({ name, oid, type: read[index]!.type }) ?? [],
  );
  return { relation, fields: read, columns: new Map(isSame ? known.map((column) => [column.name, column]) : []) };
}

interface Planned {
  index: number;
  test: QualityTest;
  compiled: CompiledTest;
}

function planTests({ tests, now, previousRows }: TestsOfTable, table: DescribedTable) {
  const failed: [number, NotEvaluated][] = [];
  const counted: (Planned & { now: Date })[] = [];
  const copied: QualityTest[] = [];
  const context = { columns: table.fields, rowNumber: 'row', now, previousRows, references: new Map(), bindText };
  for (const [index, test] of tests.entries()) {
    try {
      const missing = columnsOf(test).find((name) => !table.fields.some((field) => field.name === name));
      if (missing !== undefined) throw new DataError('SCHEMA_MISMATCH', `There is no column ${missing}.`);
      if (isCounted(test, table, now)) counted.push({ index, test, now, compiled: compileTest(test, context) });
      else copied.push(test);
    } catch (error) {
      failed.push([index, { error: reasonOf(error) }]);
    }
  }
  return { failed, counted, copied };
}

const bindText = (sql: string) => ({ sql, params: [] });

const isCounted = (test: QualityTest, table: DescribedTable, now: Date): boolean =>
  serverTest(test, { columns: table.columns, nameOf: quoteIdentifier, now }, new ServerParameters()) !== undefined;

interface Counted extends Planned {
  now: Date;
  evaluatedRows: number;
  failedRows: number;
}

async function countTests(
  source: PostgresSource,
  table: DescribedTable,
  planned: readonly (Planned & { now: Date })[],
): Promise<Counted[]> {
  const counted: Counted[] = [];
  for (let start = 0; start < planned.length; start += MAX_AT_ONCE) {
    const part = planned.slice(start, start + MAX_AT_ONCE);
    const { place, tests, params } = onServer(table, part);
    const { rows } = await source.query(countsSql(place, tests), params.values);
    for (const [index, each] of part.entries()) {
      const [evaluatedRows, failedRows] = rows[0]!.slice(2 * index, 2 * index + 2).map(Number) as [number, number];
      counted.push({ ...each, evaluatedRows, failedRows });
    }
  }
  return counted;
}

/** The tests as the server runs them, over the columns that they name. */
function onServer(table: DescribedTable, planned: readonly (Pick<Planned, 'test'> & { now: Date })[]) {
  const names = [...new Set(planned.flatMap(({ test }) => columnsOf(test)))];
  const columns = names.map((name) => table.columns.get(name)!);
  const params = new ServerParameters();
  const nameOf = (name: string) => valueName(names.indexOf(name));
  const tests = planned.map(({ test, now }) => serverTest(test, { columns: table.columns, nameOf, now }, params)!);
  return { place: { relation: table.relation, columns } satisfies ServerTable, tests, params };
}

interface Copied extends Transferred {
  cursor: undefined;
  nullCursorRows: number;
}

/** Undefined if there are no failing rows to show. */
async function transferSamples(
  engine: Engine,
  source: PostgresSource,
  table: DescribedTable,
  counted: readonly Counted[],
): Promise<Copied | undefined> {
  const failing = counted.filter(({ failedRows, test }) => failedRows > 0 && sampleLimit(test) > 0);
  if (failing.length === 0) return undefined;
  // The columns of all tests, so that a row can be recognised.
  const shown = onServer(table, counted).place.columns;
  const names = shown.map(({ name }) => name);
  const params = new ServerParameters();
  const nameOf = (name: string) => valueName(names.indexOf(name));
  const tests = failing.map(({ index, test, now, failedRows }) => ({
    ...(serverTest(test, { columns: table.columns, nameOf, now }, params) as ServerTest),
    number: index,
    rows: Math.min(sampleLimit(test), failedRows),
  }));
  const number: PostgresColumn = { name: NUMBER, ...readingOf({ oid: INT8, modifier: -1 }) };
  const columns = [number, ...names.map((name) => table.fields.find((field) => field.name === name)!)];
  const rows = samplesSql({ relation: table.relation, columns: shown }, tests);
  const sent = await transfer(engine, source, { rows, params: params.values, columns }, MAX_SAMPLES_BYTES);
  return { ...sent, cursor: undefined, nullCursorRows: 0 };
}

const INT8 = 20;

/** No column of a table begins with a blank, as they are read. */
const NUMBER = ' number of the test';

/** More than all tests of a workspace have. */
const MAX_SAMPLES = 100_000;

type SampleOf = (index: number) => Evaluation['sample'];

async function readSamples(engine: Engine, samples: Copied): Promise<SampleOf> {
  const path = engine.temporaryPath('parquet');
  await writeRows(engine, samples.table, samples, path);
  const { rowsJson } = await engine.query(`SELECT * FROM read_parquet(${quoteLiteral(path)})`, {
    limit: MAX_SAMPLES,
    maxBytes: 2 * MAX_SAMPLES_BYTES,
  });
  const rows = Map.groupBy(JSON.parse(rowsJson) as unknown[][], ([number]) => Number(number));
  const columns = samples.columns.slice(1).map(({ name }) => name);
  return (index) => boundedSample(columns, rows.get(index)?.map((row) => row.slice(1)) ?? []);
}

function evaluationOf(
  { index, compiled, evaluatedRows, failedRows }: Counted,
  samples: SampleOf | undefined,
): Evaluation {
  const counts = { evaluatedRows, failedRows, compiled, ranIn: 'database' } as const;
  if (compiled.kind !== 'count') return { ...counts, sample: samples?.(index) ?? null };
  const issue = compiled.issue(evaluatedRows);
  return { ...counts, sample: null, ...(issue === undefined ? {} : { issue }) };
}

async function transferRest(
  engine: Engine,
  source: PostgresSource,
  { schema, table, maxBytes }: TestsOfTable,
  tests: readonly QualityTest[],
): Promise<Copied | undefined> {
  if (tests.length === 0) return undefined;
  const columns = neededColumns(tests);
  const plan = await planExtract(source, { from: { schema, table }, ...(columns ? { columns } : {}) });
  const sent = await transfer(engine, source, plan, maxBytes);
  return { ...sent, cursor: undefined, nullCursorRows: plan.nullCursorRows };
}

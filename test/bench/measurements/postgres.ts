import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { HAS_PSQL, psql } from '../../support/psql.ts';
import type { Bench } from '../bench.ts';
import { runChild } from '../child.ts';
import { type DuckdbWork, duckdbAlone, STEP_MEMORY_MB, total, writeParquet } from '../duckdb-alone.ts';
import { type Platform, stepMs } from '../platform.ts';
import { postgresSource, salesTable } from '../postgres-sales.ts';
import type { Result, Row } from '../result.ts';
import { counted, scaled } from '../scale.ts';
import { percentile, ratios, rounds, spread } from '../spread.ts';

const ROWS = scaled(1_000_000);
const ROUNDS = 3;
const CALLS = 50;
const BATCH_GOAL = 1.5;
const COPY = join(import.meta.dirname, '../references/postgres-copy.ts');
const BARE = join(import.meta.dirname, '../references/bare-postgres.ts');

const COPY_OUT = 'COPY (SELECT * FROM sales) TO STDOUT (FORMAT csv)';
const COLUMNS = `{'id': 'BIGINT', 'customer': 'INTEGER', 'region': 'VARCHAR', 'amount': 'DECIMAL(10,2)', 'sold': 'TIMESTAMP', 'score': 'DOUBLE'}`;

/** A table out of a Postgres server, into one, and read where it is. */
export async function postgres({ platform, deployment }: Bench): Promise<Result> {
  const folder = deployment.scratch('postgres');
  const server = await startPostgres();
  try {
    await server.run(salesTable(ROWS));
    const sourceId = await postgresSource(platform, server, 'Sales in Postgres');
    const { copied, moved, psql: psqlMs } = await measureMoves(platform, server, sourceId, folder);
    const live = await measureLive(platform, server, sourceId);
    return {
      title: `Postgres: ${counted(ROWS)} rows read, loaded, and queried in place`,
      rows: [
        ...extractRows(moved, copied, psqlMs),
        compared('load into a new table; against DuckDB and COPY', moved.load, moved.loadAlone, BATCH_GOAL),
        ...live,
      ],
      notes: [
        `${ROUNDS} runs; the times of a run are those of its steps. COPY is done by a bare process with pg-copy-streams that writes to a file${psqlMs ? ', or by psql' : ''}. Live statements: ${CALLS} one after the other on an open connection; the reference is pg on one connection.`,
      ],
      bound:
        'an extract writes the rows as Parquet, checking each column, and uploads it. A live statement is checked in the engine function before it is sent: three more hops between processes.',
    };
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const connectionOf = ({ host, port, database, user, password }: TestPostgres) =>
  JSON.stringify({ host, port, database, user, password });

interface Moved {
  extract: number[];
  extractAlone: number[];
  load: number[];
  loadAlone: number[];
}

async function measureMoves(platform: Platform, server: TestPostgres, sourceId: string, folder: string) {
  const [csv, parquet] = [join(folder, 'sales.csv'), join(folder, 'sales.parquet')];
  const copy = async (direction: 'out' | 'in', statement: string) =>
    (await runChild<{ ms: number }>([COPY, direction, connectionOf(server), statement, csv])).ms;
  const duckdb = (statement: string): Promise<DuckdbWork> =>
    duckdbAlone({ memoryMb: STEP_MEMORY_MB, statements: [statement] });
  const toParquet = writeParquet(`FROM read_csv('${csv}', header = false, columns = ${COLUMNS})`, parquet);
  const toCsv = `COPY (FROM '${parquet}') TO '${csv}' (FORMAT csv, HEADER false)`;

  await platform.run(await platform.newPipeline('Sales to Postgres, first', dag(sourceId, 'first')));
  const found = await rounds(ROUNDS, async (index) => {
    const copied = await copy('out', COPY_OUT);
    const made = await duckdb(toParquet);
    const byPsql = await psqlCopy(server, join(folder, 'psql.csv'));
    const pipeline = await platform.newPipeline(`Sales to Postgres ${index}`, dag(sourceId, `loaded_${index}`));
    const run = await platform.run(pipeline);
    const [extract, load] = stepMs(run);
    const written = await duckdb(toCsv);
    await server.run(`CREATE TABLE bare_${index} (LIKE sales)`);
    const loaded = await copy('in', `COPY bare_${index} FROM STDIN (FORMAT csv)`);
    const [[count] = []] = await server.rows(`SELECT count(*) FROM loaded_${index}`);
    if (Number(count) !== ROWS) throw new Error(`the run loaded ${count} rows in place of ${ROWS}`);
    await server.run(`DROP TABLE bare_${index}, loaded_${index}`);
    return { copied, made: total(made), byPsql, extract: extract!.ms, load: load!.ms, written: total(written), loaded };
  });
  const moved: Moved = {
    extract: found.map(({ extract }) => extract),
    extractAlone: found.map(({ copied, made }) => copied + made),
    load: found.map(({ load }) => load),
    loadAlone: found.map(({ written, loaded }) => written + loaded),
  };
  const psqlMs = found.flatMap(({ byPsql }) => (byPsql === undefined ? [] : [byPsql]));
  return { copied: found.map(({ copied }) => copied), moved, psql: psqlMs.length > 0 ? psqlMs : undefined };
}

function dag(sourceId: string, table: string) {
  return {
    version: 1,
    steps: [
      { id: 'sales', type: 'extract', config: { sourceId, object: { table: 'sales' } } },
      {
        id: 'loaded',
        type: 'load',
        dependsOn: ['sales'],
        config: { input: 'sales', target: { kind: 'table', sourceId, table }, mode: 'append' },
      },
    ],
  };
}

/** Milliseconds that psql takes for the same COPY; undefined where there is none. */
async function psqlCopy(server: TestPostgres, file: string): Promise<number | undefined> {
  if (!HAS_PSQL) return undefined;
  const startedAt = performance.now();
  await psql(server, COPY_OUT, file);
  return performance.now() - startedAt;
}

function extractRows(moved: Moved, copied: number[], psqlMs: number[] | undefined): Row[] {
  return [
    compared('extract; against COPY into a file', moved.extract, copied),
    ...(psqlMs ? [compared('extract; against COPY into a file by psql', moved.extract, psqlMs)] : []),
    compared('extract; against COPY and DuckDB writing Parquet', moved.extract, moved.extractAlone, BATCH_GOAL),
  ];
}

function compared(what: string, ours: number[], theirs: number[], goal?: number): Row {
  return {
    what,
    unit: 'ms',
    measured: spread(ours),
    reference: spread(theirs),
    ratio: ratios(ours, theirs),
    ...(goal === undefined ? {} : { goal: { of: 'ratio', atMost: goal } }),
  };
}

const LIVE = {
  'one row by its key': 'SELECT * FROM sales WHERE id = 4711',
  '1,000 rows': 'SELECT * FROM sales WHERE id <= 1000',
  'aggregate of all rows': 'SELECT region, count(*), sum(amount) FROM sales GROUP BY region ORDER BY region',
};

async function measureLive(platform: Platform, server: TestPostgres, sourceId: string): Promise<Row[]> {
  const ask = async (sql: string) => {
    const body = { sql, sourceId, limit: 10_000 };
    const { status, text, ms } = await platform.http.send('POST', `${platform.endpoint}/api/query`, body);
    if (status !== 200) throw new Error(`the query answered ${status}: ${text}`);
    return ms;
  };
  const rows: Row[] = [];
  for (const [what, sql] of Object.entries(LIVE)) {
    await rounds(10, () => ask(sql));
    const found = await rounds(ROUNDS, async () => ({
      ours: await rounds(CALLS, () => ask(sql)),
      theirs: await runChild<number[]>([BARE, connectionOf(server), sql, String(CALLS)]),
    }));
    const middle = (side: 'ours' | 'theirs') => found.map((round) => percentile(round[side], 50));
    rows.push(compared(`live: ${what}, p50`, middle('ours'), middle('theirs')));
  }
  return rows;
}

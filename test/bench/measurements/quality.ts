import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { duckdbAlone, STEP_MEMORY_MB } from '../duckdb-alone.ts';
import type { Platform } from '../platform.ts';
import { type Ended, ended, QUALITY, runAllTests } from '../quality-jobs.ts';
import { peakMemoryOf } from '../reports.ts';
import type { Result } from '../result.ts';
import { copyFiles, loadDataset } from '../sales.ts';
import { counted, scaled } from '../scale.ts';
import { ratios, rounds, spread } from '../spread.ts';
import { pushDown } from './quality-push-down.ts';

const ROWS = scaled(10_000_000);
const SCANS = 3;
const TESTS = 100;
const GOAL_S = 60;

/** Thirty columns: keys, categories, amounts, measurements, moments and texts, some with missing values. */
const COLUMNS = [
  'i AS id',
  ...[1, 2, 3, 4].map((n) => `(hash(i + ${n}) % ${n}00000)::INTEGER AS key${n}`),
  ...[1, 2, 3, 4, 5].map((n) => `'kind ' || hash(i + 1${n}) % ${n * 8} AS kind${n}`),
  ...[1, 2, 3, 4, 5].map((n) => `((hash(i + 2${n}) % ${n}00000) / 100)::DECIMAL(10,2) AS amount${n}`),
  ...[1, 2, 3].map((n) => `sqrt(hash(i + 3${n}) % 1000000)::DOUBLE AS measure${n}`),
  ...[1, 2, 3].map((n) => `DATE '2020-01-01' + (hash(i + 4${n}) % ${n * 700})::INTEGER AS day${n}`),
  ...[1, 2].map((n) => `TIMESTAMP '2024-01-01' + to_seconds((hash(i + 5${n}) % 30000000)::BIGINT) AS at${n}`),
  ...[1, 2, 3].map(
    (n) => `CASE WHEN hash(i + 6${n}) % 10 < ${n} THEN NULL ELSE (hash(i + 7${n}) % 1000)::INTEGER END AS gap${n}`,
  ),
  ...[1, 2].map((n) => `hash(i + 8${n}) % 2 = 0 AS flag${n}`),
  "'user' || hash(i + 91) % 500000 || '@example.com' AS email",
  "'+49 30 ' || (1000000 + hash(i + 92) % 9000000) AS phone",
];
const NAMES = COLUMNS.map((column) => column.slice(column.lastIndexOf(' ') + 1));
const WIDE = `SELECT ${COLUMNS.join(', ')} FROM range(${ROWS}) t(i)`;

/** A scan of a large table, many tests of it, and tests of a table of a database. */
export async function quality({ platform, deployment }: Bench): Promise<Result> {
  const folder = deployment.scratch('quality');
  try {
    const id = await loadDataset(platform, 'wide', WIDE, folder);
    const files = join(folder, 'wide');
    await copyFiles(platform, id, files);
    const since = Date.now();
    const before = [`CREATE VIEW wide AS FROM read_parquet('${files}/*.parquet')`];
    const scans = await rounds(SCANS, async () => {
      const alone = await duckdbAlone({ memoryMb: STEP_MEMORY_MB, before, statements: ['SUMMARIZE wide'] });
      return { scan: await scanSeconds(platform), alone: alone.ms[0]! / 1000 };
    });
    const [scan, alone] = [scans.map((each) => each.scan), scans.map((each) => each.alone)];
    const worst = await deviation(platform);
    // Before the tests of the large table, because each run is of all tests.
    const inDatabase = await pushDown(platform);
    const tests = await allTestsSeconds(platform);
    const memoryMb = await peakMemoryOf(platform, 'run-job', since);
    return {
      title: 'Data quality',
      rows: [
        {
          what: `scan of ${counted(ROWS)} rows × ${COLUMNS.length} columns; against SUMMARIZE`,
          unit: 's',
          measured: spread(scan),
          reference: spread(alone),
          ratio: ratios(scan, alone),
          goal: { of: 'measured', atMost: GOAL_S },
        },
        { what: `${TESTS} tests of the table in one run`, unit: 's', measured: spread([tests]) },
        inDatabase,
        { what: 'most memory of the worker', unit: 'MB', measured: spread([memoryMb]) },
      ],
      notes: [
        `Nulls, minimum and maximum of all columns are exact: ${worst.isExact ? 'yes' : 'no'}. The number of distinct values deviates by ${worst.distinctPct.toFixed(2)} % at most.`,
        'A scan has percentiles, histogram, frequent values, patterns, meaning and suggested tests besides what SUMMARIZE has, which estimates percentiles and distinct values.',
        'The tests of the Postgres table run in the same job twice: as they are, and with a `where`, for which the rows are copied. The time is that of all tests of the table, with the connection.',
      ],
      bound: 'the processors: percentiles and frequent values of each column are a sort of its sample.',
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const secondsOf = ({ createdAt, finishedAt }: Ended): number =>
  (Date.parse(finishedAt!) - Date.parse(createdAt)) / 1000;

async function scanSeconds(platform: Platform): Promise<number> {
  const { id } = await platform.call<{ id: string }>('POST', `${QUALITY}/scans`, { tableName: 'wide' });
  return secondsOf(await ended(platform, `${QUALITY}/scans/${id}`));
}

async function allTestsSeconds(platform: Platform): Promise<number> {
  for (let index = 0; index < TESTS; index++) {
    const columnName = NAMES[index % NAMES.length]!;
    const test = { targetType: 'source_table', tableName: 'wide', columnName, name: `${columnName} ${index}` };
    await platform.call('POST', `${QUALITY}/tests`, {
      ...test,
      testType: 'not_null',
      config: { where: `id >= ${index}` },
    });
  }
  return secondsOf(await runAllTests(platform));
}

interface Figures {
  name: string;
  nullCount: number;
  min: unknown;
  max: unknown;
  distinctCount: number;
}

/** How far the newest profile is from what queries count. */
async function deviation(platform: Platform): Promise<{ isExact: boolean; distinctPct: number }> {
  const profile = await platform.call<{ columns: Figures[] }>('GET', `${QUALITY}/profiles/wide?limit=100`);
  let isExact = profile.columns.length === NAMES.length;
  let distinctPct = 0;
  for (const { name, nullCount, min, max, distinctCount } of profile.columns) {
    const sql = `SELECT count(*) - count("${name}"), min("${name}"), max("${name}"), count(DISTINCT "${name}") FROM wide`;
    const { rows } = await platform.call<{ rows: unknown[][] }>('POST', '/api/query', { sql });
    const [nulls, low, high, distinct] = rows[0]!;
    isExact &&= nulls === nullCount && JSON.stringify([low, high]) === JSON.stringify([min, max]);
    distinctPct = Math.max(distinctPct, (100 * Math.abs(distinctCount - Number(distinct))) / Number(distinct));
  }
  return { isExact, distinctPct };
}

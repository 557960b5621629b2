import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { type DuckdbWork, duckdbAlone, QUERY_MEMORY_MB } from '../duckdb-alone.ts';
import type { Platform } from '../platform.ts';
import { peakMemoryOf } from '../reports.ts';
import type { Result, Row } from '../result.ts';
import { copyFiles, loadDataset } from '../sales.ts';
import { counted, scaled } from '../scale.ts';
import { ratios, rounds, spread } from '../spread.ts';
import { CUSTOMERS, queriesOf, SALES } from './query-set.ts';

const SIZES = [
  { rows: scaled(10_000_000), times: 5 },
  { rows: scaled(50_000_000), times: 3 },
];
const GOAL = 1.2;

/** Statements over large datasets through the API, against DuckDB alone over the same files. */
export async function queries({ platform, deployment }: Bench): Promise<Result> {
  const folder = deployment.scratch('queries');
  try {
    const customers = await loadDataset(platform, 'customers', CUSTOMERS, folder);
    await copyFiles(platform, customers, join(folder, 'customers'));
    const measured: Measured[] = [];
    // The smaller first: a process reports the most memory that it ever had.
    for (const [index, { rows, times }] of SIZES.entries()) {
      const sales = `sales_${index}`;
      const id = await loadDataset(platform, sales, SALES(rows), folder);
      await copyFiles(platform, id, join(folder, sales));
      measured.push(await measure(platform, folder, { sales, rows, times }));
    }
    return {
      title: 'Queries over large datasets',
      rows: [...measured.flatMap(timeRows), ...memoryRows(measured)],
      notes: [
        `${SIZES.map(({ times }) => times).join(' and ')} rounds; both sides open a new engine for each statement and allow it ${counted(QUERY_MEMORY_MB)} MB. The sales are joined with ${counted(100_000)} customers. The time of the reference excludes the start of its process; that of the platform is the whole request. Memory is that of the whole process, Node included.`,
      ],
      bound:
        'the fresh, locked engine of each statement, the SQL check and four hops between processes: about 50 ms, regardless of the rows. So the smaller the work, the larger the ratio.',
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Measured {
  rows: number;
  names: string[];
  ours: number[][];
  theirs: number[][];
  peakMb: { ours: number; theirs: number };
}

async function measure(
  platform: Platform,
  folder: string,
  { sales, rows, times }: { sales: string; rows: number; times: number },
): Promise<Measured> {
  const statements = queriesOf(sales);
  const names = Object.keys(statements);
  const texts = Object.values(statements);
  const view = (name: string) => `CREATE VIEW ${name} AS FROM read_parquet('${join(folder, name)}/*.parquet')`;
  const alone = () =>
    duckdbAlone({
      memoryMb: QUERY_MEMORY_MB,
      before: [view(sales), view('customers')],
      statements: texts,
      apart: true,
    });
  // The first fetches the files.
  for (const sql of texts) await ask(platform, sql);
  const since = Date.now();
  const found = await rounds(times, async () => {
    const ours = await rounds(texts.length, (index) => ask(platform, texts[index]!));
    return { ours, theirs: await alone() };
  });
  const theirs: DuckdbWork[] = found.map((round) => round.theirs);
  return {
    rows,
    names,
    ours: names.map((_, index) => found.map((round) => round.ours[index]!)),
    theirs: names.map((_, index) => theirs.map(({ ms }) => ms[index]!)),
    peakMb: {
      ours: await peakMemoryOf(platform, 'engine', since),
      theirs: Math.max(...theirs.map(({ peakMb }) => peakMb)),
    },
  };
}

/** Milliseconds until the whole answer is there; computed again. */
async function ask(platform: Platform, sql: string): Promise<number> {
  const body = { sql, maxAgeSeconds: 0, timeoutMs: 25_000 };
  const { status, text, ms } = await platform.http.send('POST', `${platform.endpoint}/api/query`, body);
  if (status !== 200) throw new Error(`the query answered ${status}: ${text}`);
  return ms;
}

function timeRows({ rows, names, ours, theirs }: Measured): Row[] {
  return names.map((name, index) => ({
    what: `${name}, ${counted(rows)} rows`,
    unit: 'ms',
    measured: spread(ours[index]!),
    reference: spread(theirs[index]!),
    ratio: ratios(ours[index]!, theirs[index]!),
    goal: { of: 'ratio', atMost: GOAL },
  }));
}

function memoryRows(measured: readonly Measured[]): Row[] {
  const [smallest] = measured;
  const against = ({ rows, peakMb }: Measured): Row => ({
    what: `peak memory, ${counted(rows)} rows`,
    unit: 'MB',
    measured: spread([peakMb.ours]),
    reference: spread([peakMb.theirs]),
    ratio: ratios([peakMb.ours], [peakMb.theirs]),
  });
  const largest = measured.at(-1)!;
  return [
    ...measured.map(against),
    {
      what: `the platform's memory, ${counted(largest.rows)} against ${counted(smallest!.rows)} rows`,
      unit: 'MB',
      measured: spread([largest.peakMb.ours]),
      reference: spread([smallest!.peakMb.ours]),
      ratio: ratios([largest.peakMb.ours], [smallest!.peakMb.ours]),
      goal: { of: 'ratio', atMost: GOAL },
    },
  ];
}

import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { runChild } from '../child.ts';
import type { Platform } from '../platform.ts';
import type { Result, Row } from '../result.ts';
import { ratios, rounds, spread } from '../spread.ts';
import { QUERIES } from './query-set.ts';

const ROUNDS = 5;
/** `BENCH_QUERY_ROWS=50000000` measures what takes longer to make than to ask. */
const ROWS = Number(process.env.BENCH_QUERY_ROWS ?? 10_000_000);
const CALLERS = 50;
const GOAL = 1.2;
const REFERENCE = join(import.meta.dirname, '../references/duckdb-queries.ts');

/** Statements over a large dataset through the API, against DuckDB alone over the same file. */
export async function queries({ platform, deployment }: Bench): Promise<Result> {
  const file = join(deployment.scratch('queries'), 'sales.parquet');
  await runChild([REFERENCE, 'make', file, String(ROWS)]);
  await load(platform, file);
  const names = Object.keys(QUERIES) as (keyof typeof QUERIES)[];
  const through = async () => {
    const took: Record<string, number> = {};
    for (const name of names) took[name] = (await ask(platform, QUERIES[name], 0)).ms;
    return took;
  };
  const cold = await ask(platform, QUERIES.aggregate, 0);
  const measured = await rounds(ROUNDS, async () => ({
    ours: await through(),
    theirs: await runChild<Record<string, number>>([REFERENCE, 'run', file]),
  }));
  const rows: Row[] = names.map((name) => {
    const [ours, theirs] = [measured.map(({ ours }) => ours[name]!), measured.map(({ theirs }) => theirs[name]!)];
    return {
      what: `${name}, ${ROWS / 1_000_000} million rows`,
      unit: 'ms',
      measured: spread(ours),
      reference: spread(theirs),
      ratio: ratios(ours, theirs),
      goal: { of: 'ratio', atMost: GOAL },
    };
  });
  await ask(platform, QUERIES.aggregate, 3600);
  const hits = await rounds(20, async () => (await ask(platform, QUERIES.aggregate, 3600)).ms);
  const large = await rounds(
    3,
    async () => (await ask(platform, 'SELECT id, customer, amount FROM sales', 0, 50_000)).ms,
  );
  const many = await crowd(platform);
  return {
    title: 'Queries over a large dataset',
    rows: [
      ...rows,
      { what: 'first query of a cold engine, its file fetched', unit: 'ms', measured: spread([cold.ms]) },
      { what: 'remembered answer', unit: 'ms', measured: spread(hits), goal: { of: 'measured', atMost: 120 } },
      { what: '50,000 rows of three columns as JSON', unit: 'ms', measured: spread(large) },
      { what: `${CALLERS} callers of one statement, the last of them`, unit: 'ms', measured: spread([many.ms]) },
    ],
    notes: [
      `${ROUNDS} rounds; both sides open an instance of their own for each statement. Of the ${CALLERS} callers ${many.computed} had it computed and ${many.refused} were told that the service is busy.`,
    ],
    bound:
      'the fresh, locked instance of each statement, the gate and four hops between processes: about 50 ms, whatever the rows.',
  };
}

async function load(platform: Platform, file: string): Promise<void> {
  const sourceId = await platform.fileSource('Sales', { 'sales.parquet': file });
  const dag = {
    version: 1,
    steps: [
      { id: 'sales', type: 'extract', config: { sourceId, object: { path: 'sales.parquet', format: 'parquet' } } },
      {
        id: 'loaded',
        type: 'load',
        dependsOn: ['sales'],
        config: { input: 'sales', target: { kind: 'dataset', name: 'sales' }, mode: 'overwrite' },
      },
    ],
  };
  const { id } = await platform.call<{ id: string }>('POST', '/api/pipelines', { name: 'Sales', dag });
  await platform.run(id);
}

async function ask(
  platform: Platform,
  sql: string,
  maxAgeSeconds: number,
  limit = 1000,
): Promise<{ ms: number; text: string }> {
  const body = { sql, maxAgeSeconds, limit };
  const { status, text, ms } = await platform.http.send('POST', `${platform.endpoint}/api/query`, body);
  if (status !== 200) throw new Error(`the query answered ${status}: ${text}`);
  return { ms, text };
}

/** Many at once ask the same that nobody has asked before. */
async function crowd(platform: Platform): Promise<{ ms: number; computed: number; refused: number }> {
  const body = { sql: `${QUERIES.join} LIMIT ${CALLERS}` };
  const startedAt = performance.now();
  const replies = await Promise.all(
    Array.from({ length: CALLERS }, () => platform.http.send('POST', `${platform.endpoint}/api/query`, body)),
  );
  const computed = replies.filter(({ text }) => text.includes('"cache":"miss"')).length;
  const refused = replies.filter(({ status }) => status !== 200).length;
  return { ms: performance.now() - startedAt, computed, refused };
}

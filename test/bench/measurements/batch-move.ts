import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { duckdbAlone, STEP_MEMORY_MB, total, writeParquet } from '../duckdb-alone.ts';
import { runMs, stepMs } from '../platform.ts';
import { peakMemoryOf } from '../reports.ts';
import type { Result, Row } from '../result.ts';
import { counted, scaled } from '../scale.ts';
import { ratios, spread } from '../spread.ts';

const ROWS = scaled(10_000_000);
const GOAL = 1.5;
/** The function's memory: beyond it Lambda ends the step. */
const MAX_MB = 4096;

/** Everything is text, as files of other people are; one row in twenty comes again with a later change. */
const ORDERS = `
  SELECT i - (i % 20 = 19)::INTEGER AS id, 'customer ' || hash(i) % 500000 AS customer,
    strftime(TIMESTAMP '2026-01-01' + to_seconds(i), '%Y-%m-%d %H:%M:%S') AS changed, ((hash(i + 1) % 1000000) / 100)::DECIMAL(10,2) AS amount,
    'note ' || hash(i + 2) || ' ' || hash(i + 3) AS note
  FROM range(${ROWS}) t(i)`;

const CAST = `SELECT id::BIGINT AS id, customer, changed::TIMESTAMP AS changed, amount::DECIMAL(12,2) AS amount, note`;
const NEWEST = 'QUALIFY row_number() OVER (PARTITION BY id ORDER BY changed DESC) = 1';

/** A gigabyte of CSV, cast, deduplicated and merged into a dataset: at first empty, then with the same keys in it. */
export async function batchMove({ platform, deployment }: Bench): Promise<Result> {
  const folder = deployment.scratch('batch-move');
  const csv = join(folder, 'orders.csv');
  const read = `read_csv('${csv}', all_varchar = true)`;
  const [staged, batch] = [join(folder, 'staged.parquet'), join(folder, 'batch.parquet')];
  const [first, second] = [join(folder, 'first.parquet'), join(folder, 'second.parquet')];
  try {
    await duckdbAlone({ memoryMb: STEP_MEMORY_MB, statements: [`COPY (${ORDERS}) TO '${csv}' (FORMAT csv)`] });
    const gigabytes = (await stat(csv)).size / 1e9;
    const sourceId = await platform.fileSource('Orders', { 'orders.csv': csv });
    const pipeline = await platform.newPipeline('Orders', dag(sourceId));
    // In one statement it would need more memory than a step has.
    const cast = writeParquet(`${CAST} FROM ${read}`, staged);
    const newest = `SELECT * FROM '${staged}' ${NEWEST}`;
    const merged = `FROM '${batch}' UNION ALL SELECT * FROM '${first}' old WHERE NOT EXISTS (FROM '${batch}' new WHERE new.id = old.id)`;
    const alone = [
      () =>
        duckdbAlone({
          memoryMb: STEP_MEMORY_MB,
          statements: [cast, writeParquet(newest, first)],
          check: count(first),
        }),
      () =>
        duckdbAlone({
          memoryMb: STEP_MEMORY_MB,
          statements: [cast, writeParquet(newest, batch), writeParquet(merged, second)],
          check: count(second),
        }),
    ];
    const since = Date.now();
    const rows: Row[] = [];
    const notes: string[] = [];
    for (const [index, what] of ['into an empty dataset', 'over the same keys'].entries()) {
      const theirs = await alone[index]!();
      const ours = await platform.run(pipeline);
      const loaded = ours.steps.find(({ stepId }) => stepId === 'merged')?.rowsOut;
      if (loaded !== theirs.value) throw new Error(`the run merged ${loaded} rows, DuckDB alone ${theirs.value}`);
      const [measured, reference] = [[runMs(ours) / 1000], [total(theirs) / 1000]];
      rows.push({
        what: `cast, dedupe, merge ${what}`,
        unit: 's',
        measured: spread(measured),
        reference: spread(reference),
        ratio: ratios(measured, reference),
        goal: { of: 'ratio', atMost: GOAL },
      });
      rows.push({
        what: 'peak memory so far',
        unit: 'MB',
        measured: spread([await peakMemoryOf(platform, 'run-step', since)]),
        reference: spread([theirs.peakMb]),
        goal: { of: 'measured', atMost: MAX_MB },
      });
      notes.push(
        `${what}: ${stepMs(ours)
          .map(({ stepId, ms }) => `${stepId} ${(ms / 1000).toFixed(1)} s`)
          .join(', ')}.`,
      );
    }
    return {
      title: `${counted(ROWS)} rows, ${gigabytes.toFixed(1)} GB of CSV: cast, dedupe, merge`,
      rows,
      notes: [
        `One run each. ${notes.join(' ')} DuckDB alone does it in one process, with a file for the cast rows, because a single statement would need more memory than a step has.`,
      ],
      bound:
        'the cost of steps. The file is downloaded the first time, the rows are uploaded after the extract and after the recipe and read again, and each value of the file is compared with its type and its text.',
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const count = (path: string) => `SELECT count(*) FROM read_parquet('${path}')`;

function dag(sourceId: string) {
  return {
    version: 1,
    steps: [
      { id: 'orders', type: 'extract', config: { sourceId, object: { path: 'orders.csv' } } },
      {
        id: 'clean',
        type: 'transform_sql',
        dependsOn: ['orders'],
        config: {
          ops: [
            { op: 'cast', column: 'id', type: 'integer' },
            { op: 'cast', column: 'changed', type: 'timestamp' },
            { op: 'cast', column: 'amount', type: 'decimal(12,2)' },
            { op: 'dedupe', keys: ['id'], orderBy: [{ column: 'changed', direction: 'desc' }] },
          ],
        },
      },
      {
        id: 'merged',
        type: 'load',
        dependsOn: ['clean'],
        config: { input: 'clean', target: { kind: 'dataset', name: 'orders' }, mode: 'merge', mergeKey: ['id'] },
      },
    ],
  };
}

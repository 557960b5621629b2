import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { type DuckdbWork, duckdbAlone, STEP_MEMORY_MB, total, writeParquet } from '../duckdb-alone.ts';
import { type Platform, runMs, stepMs } from '../platform.ts';
import type { Result, Row } from '../result.ts';
import { importDag } from '../sales.ts';
import { counted, scaled } from '../scale.ts';
import { percentile, ratios, rounds, spread } from '../spread.ts';
import { SALES } from './query-set.ts';

const ROWS = scaled(5_000_000);
const ROUNDS = 3;
const GOAL = 1.4;

/** Files into datasets, against DuckDB alone making the same Parquet file of them. */
export async function imports({ platform, deployment }: Bench): Promise<Result> {
  const folder = deployment.scratch('imports');
  const [csv, parquet] = [join(folder, 'sales.csv'), join(folder, 'sales.parquet')];
  try {
    await duckdbAlone({
      memoryMb: STEP_MEMORY_MB,
      statements: [`COPY (${SALES(ROWS)}) TO '${csv}' (FORMAT csv)`, writeParquet(`FROM '${csv}'`, parquet)],
    });
    const fromCsv = await measure(platform, csv, `FROM read_csv('${csv}')`, folder);
    const fromParquet = await measure(platform, parquet, `FROM read_parquet('${parquet}')`, folder);
    return {
      title: `Import of ${counted(ROWS)} rows`,
      rows: [row('CSV', fromCsv), row('Parquet', fromParquet)],
      notes: [
        `${ROUNDS} runs each of an extract and a load that replaces the dataset; the files are already uploaded. Of CSV ${steps(fromCsv)}; of Parquet ${steps(fromParquet)}.`,
      ],
      bound:
        'exactness. All bytes of a CSV file are looked at by one thread before its rows are converted: whether they are UTF-8, where quotes and lines end, and in which columns every value is written as its type is. Only values of other columns are compared with their type and their text while they are read. DuckDB alone guesses the types from the first rows and reads `007` as 7. DuckDB takes as long as the platform to read the typed values and write them; the rest is the upload, which competes with it for the cores, and the load, which copies the file in the bucket.',
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Imported = Awaited<ReturnType<typeof measure>>;

async function measure(platform: Platform, file: string, select: string, folder: string) {
  const name = file.endsWith('.csv') ? 'rows.csv' : 'rows.parquet';
  const sourceId = await platform.fileSource(`Import of ${name}`, { [name]: file });
  const pipeline = await platform.newPipeline(
    `Import of ${name}`,
    importDag(sourceId, name, name.replace('.', '_from_')),
  );
  const target = join(folder, 'imported.parquet');
  const alone = (): Promise<DuckdbWork> =>
    duckdbAlone({
      memoryMb: STEP_MEMORY_MB,
      statements: [writeParquet(select, target)],
      check: `SELECT count(*) FROM read_parquet('${target}')`,
    });
  await platform.run(pipeline);
  return rounds(ROUNDS, async () => {
    const theirs = await alone();
    const ours = await platform.run(pipeline);
    const loaded = ours.steps.find(({ stepId }) => stepId === 'loaded')?.rowsOut;
    if (loaded !== theirs.value) throw new Error(`the run loaded ${loaded} rows, DuckDB alone ${theirs.value}`);
    return { ours, theirs };
  });
}

function row(format: string, imported: Imported): Row {
  const ours = imported.map((round) => runMs(round.ours) / 1000);
  const theirs = imported.map((round) => total(round.theirs) / 1000);
  return {
    what: `${format} into a dataset`,
    unit: 's',
    measured: spread(ours),
    reference: spread(theirs),
    ratio: ratios(ours, theirs),
    goal: { of: 'ratio', atMost: GOAL },
  };
}

function steps(imported: Imported): string {
  const took = (id: string) =>
    Math.round(
      percentile(
        imported.map(({ ours }) => stepMs(ours).find(({ stepId }) => stepId === id)!.ms),
        50,
      ),
    );
  return `the extract takes ${took('read')} ms and the load ${took('loaded')} ms`;
}

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { runChild } from '../child.ts';
import { duckdbAlone, STEP_MEMORY_MB, writeParquet } from '../duckdb-alone.ts';
import { stepMs } from '../platform.ts';
import type { Result } from '../result.ts';
import { counted, scaled } from '../scale.ts';
import { ratios, rounds, spread } from '../spread.ts';
import { CODE, CODE_COLUMNS, CODE_ROWS } from './code-rows.ts';

const ROWS = scaled(1_000_000);
const ROUNDS = 3;
const REFERENCE = join(import.meta.dirname, '../references/v8-code.ts');

/** Rows through a function of the user's, in the sandbox and in bare V8. */
export async function codeSteps({ platform, deployment }: Bench): Promise<Result> {
  const folder = deployment.scratch('code-steps');
  const file = join(folder, 'input.parquet');
  try {
    await duckdbAlone({ memoryMb: STEP_MEMORY_MB, statements: [writeParquet(CODE_ROWS(ROWS), file)] });
    const sourceId = await platform.fileSource('Code', { 'rows.parquet': file });
    const pipeline = await platform.newPipeline('Code', {
      version: 1,
      steps: [
        { id: 'rows', type: 'extract', config: { sourceId, object: { path: 'rows.parquet' } } },
        {
          id: 'made',
          type: 'transform_code',
          dependsOn: ['rows'],
          config: { code: CODE, outputSchema: CODE_COLUMNS },
        },
      ],
    });
    await platform.run(pipeline);
    const found = await rounds(ROUNDS, async () => {
      const alone = await runChild<{ ms: number; rows: number }>([REFERENCE, file, folder]);
      const run = await platform.run(pipeline);
      const made = run.steps.find(({ stepId }) => stepId === 'made')?.rowsOut;
      if (made !== alone.rows) throw new Error(`the step made ${made} rows, V8 alone ${alone.rows}`);
      return { ours: stepMs(run).find(({ stepId }) => stepId === 'made')!.ms, theirs: alone.ms };
    });
    const perSecond = (ms: number) => (ROWS * 1000) / ms;
    const ours = found.map((round) => perSecond(round.ours));
    const theirs = found.map((round) => perSecond(round.theirs));
    return {
      title: `transform_code: ${counted(ROWS)} rows`,
      rows: [
        {
          what: 'rows through the code, against bare V8',
          unit: '/s',
          measured: spread(ours),
          reference: spread(theirs),
          ratio: ratios(theirs, ours),
        },
      ],
      notes: [
        `${ROUNDS} rounds. Both sides read the rows of a Parquet file, pass them as JSON in batches of 10,000, and write a Parquet file from the result. The sandbox interprets the code (QuickJS), which isolates it; V8 compiles it and isolates nothing.`,
      ],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

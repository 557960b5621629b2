import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { type Column, engineTypeOf } from '../../../shared/engine/column-types.ts';
import { csvTable } from '../../../shared/engine/exact-csv.ts';
import { quoteIdentifier } from '../../../shared/engine/quoting.ts';
import type { TransformCodeConfig } from '../../../shared/pipelines/configs/transform-code.ts';
import { fillTemplate } from '../../../shared/pipelines/references.ts';
import type { StepResult } from '../../../shared/pipelines/settle.ts';
import { inputBatches } from '../../../shared/sandbox/batches.ts';
import { Sandbox, SandboxError } from '../../../shared/sandbox/sandbox.ts';
import { type Attempt, StepFailure } from './attempt.ts';
import { attachInput, scratchFile, storeOutput } from './output.ts';

const DEFAULT_MEMORY_MB = 128;
/** How long the function may take for one batch. */
const BATCH_MS = 10_000;

/** Calls the author's function with the rows of the input, batch by batch, and keeps the rows that it answers. */
export async function transformCode(attempt: Attempt): Promise<StepResult> {
  const { engine } = attempt;
  const config = attempt.step.config as unknown as TransformCodeConfig;
  const { rows: rowsIn } = await attachInput(attempt, 'input');
  const columns = await engine.describe('SELECT * FROM input');
  const output = config.outputSchema ?? columns;
  const csv = scratchFile(attempt);
  try {
    const rows = await runCode(attempt, config, { columns, output }, csv);
    const path = scratchFile(attempt);
    const written = await engine.copyToParquet(typed(output, rows, csv), { path });
    const stored = await storeOutput(attempt, path, written);
    return { output: stored, rowsIn, rowsOut: stored.rows, bytesOut: stored.bytes };
  } finally {
    await rm(csv, { force: true });
  }
}

/** Answers how many rows were written. */
async function runCode(
  attempt: Attempt,
  config: TransformCodeConfig,
  { columns, output }: { columns: readonly Column[]; output: readonly Column[] },
  csv: string,
): Promise<number> {
  const sandbox = await failingAsStep('', () => openSandbox(attempt, config, { columns, output }));
  const stop = () => void sandbox.close();
  attempt.signal.addEventListener('abort', stop);
  const file = createWriteStream(csv);
  let [read, written] = [0, 0];
  try {
    for await (const batch of inputBatches(attempt.engine, columns)) {
      const place = `rows ${read + 1} to ${read + batch.rows}: `;
      const answer = await failingAsStep(place, () => sandbox.run(batch.text));
      read += batch.rows;
      written += answer.rows;
      if (!file.write(answer.csv)) await once(file, 'drain');
    }
    return written;
  } finally {
    attempt.signal.removeEventListener('abort', stop);
    file.end();
    await finished(file);
    await sandbox.close();
  }
}

function openSandbox(
  attempt: Attempt,
  config: TransformCodeConfig,
  { columns, output }: { columns: readonly Column[]; output: readonly Column[] },
): Promise<Sandbox> {
  const { values, run, node } = attempt;
  const env = Object.fromEntries(
    Object.entries(config.env ?? {}).map(([name, text]) => [name, fillTemplate(text, values)]),
  );
  for (const value of Object.values(env)) attempt.hide(value);
  return Sandbox.open(
    {
      code: config.code,
      language: config.language ?? 'javascript',
      entrypoint: config.entrypoint ?? 'transform',
      context: { params: values.params, run: values.run, forEach: values.forEach, env },
      inputColumns: columns,
      outputColumns: output,
      memoryMb: config.memoryMb ?? DEFAULT_MEMORY_MB,
      batchMs: BATCH_MS,
      seed: `${run.id}#${node.stepId}#${node.itemIndex ?? '-'}`,
      nowMs: Date.parse(run.startedAt ?? run.createdAt),
    },
    ({ level, message }) => attempt.log(level, message),
  );
}

async function failingAsStep<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SandboxError) throw new StepFailure(error.code, `${place}${error.message}`, error);
    throw error;
  }
}

/** The written rows with their types; without rows there is no file to read. */
function typed(columns: readonly Column[], rows: number, csv: string): string {
  const values = columns.map(({ name, type }, i) => `c${i}::${engineTypeOf(type)} AS ${quoteIdentifier(name)}`);
  if (rows > 0) return `SELECT ${values.join(', ')} FROM ${csvTable(csv, columns.length)}`;
  const nulls = columns.map((_, i) => `NULL AS c${i}`);
  return `SELECT ${values.join(', ')} FROM (SELECT ${nulls.join(', ')}) WHERE false`;
}

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import type { Column } from '../../../../shared/data/duckdb/column-types.ts';
import { answeredRows } from '../../../../shared/data/sandbox/answered-rows.ts';
import { inputBatches } from '../../../../shared/data/sandbox/batches.ts';
import { Sandbox, SandboxBusy, SandboxError } from '../../../../shared/data/sandbox/sandbox.ts';
import { secretNamesOf } from '../../../../shared/domains/pipelines/definition/index.ts';
import { type CodeCall, codeCallOf, type StepResult } from '../../../../shared/domains/pipelines/runs/index.ts';
import { openSecrets, secretRepository } from '../../../../shared/domains/warehouse/secrets/index.ts';
import { type Attempt, StepFailure } from './attempt.ts';
import { attachInput, scratchFile, storeOutput } from './output.ts';

/** The processor time that the author's function may take for one batch. */
const BATCH_MS = 10_000;

/** Calls the author's function with the rows of the input, batch by batch, and stores the rows that it returns. */
export async function transformCode(attempt: Attempt): Promise<StepResult> {
  const { engine } = attempt;
  const values = { ...attempt.values, secrets: await secretsOf(attempt) };
  const call = codeCallOf(attempt.step, values, { run: attempt.run, itemIndex: attempt.node.itemIndex });
  // Before anything can log them.
  for (const value of Object.values(values.secrets)) attempt.hide(value);
  for (const value of Object.values(call.context.env)) attempt.hideFromLog(value);
  const { rows: rowsIn } = await attachInput(attempt, 'input');
  const columns = await engine.describe('SELECT * FROM input');
  const output = call.output ?? columns;
  const csv = scratchFile(attempt);
  try {
    const rows = await runCode(attempt, call, { columns, output }, csv);
    const path = scratchFile(attempt);
    const written = await engine.copyToParquet(await answeredRows(output, rows, csv), { path });
    const stored = await storeOutput(attempt, path, written);
    return { output: stored, rowsIn, rowsOut: stored.rows, bytesOut: stored.bytes };
  } finally {
    await rm(csv, { force: true });
  }
}

/** The current values of the secrets that the code uses. */
async function secretsOf({ worker, run, step }: Attempt): Promise<Record<string, string>> {
  const stores = { secrets: secretRepository(worker.context.table), box: worker.secrets };
  const { values, missing } = await openSecrets(stores, run.workspaceId, secretNamesOf(step));
  if (missing.length > 0) {
    const message = `The workspace has no secret ${missing.join(', ')}; create it or remove the reference.`;
    throw new StepFailure('SECRET_NOT_FOUND', message);
  }
  return values;
}

/** Returns how many rows were written. */
async function runCode(
  attempt: Attempt,
  call: CodeCall,
  { columns, output }: { columns: readonly Column[]; output: readonly Column[] },
  csv: string,
): Promise<number> {
  const sandbox = await failingAsStep('', () => openSandbox(attempt, call, { columns, output }));
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
    file.end();
    await finished(file);
    await sandbox.close();
  }
}

function openSandbox(
  attempt: Attempt,
  call: CodeCall,
  { columns, output }: { columns: readonly Column[]; output: readonly Column[] },
): Promise<Sandbox> {
  const { code, context, memoryMb, seed, nowMs } = call;
  return Sandbox.open(
    {
      ...code,
      context,
      inputColumns: columns,
      outputColumns: output,
      memoryMb,
      batchMs: BATCH_MS,
      seed,
      nowMs,
    },
    ({ level, message }) => attempt.log(level, message),
    attempt.signal,
  );
}

async function failingAsStep<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SandboxError) throw new StepFailure(error.code, `${place}${error.message}`, error);
    if (error instanceof SandboxBusy) throw new StepFailure('TIMEOUT', `${place}${error.message}`, error);
    throw error;
  }
}

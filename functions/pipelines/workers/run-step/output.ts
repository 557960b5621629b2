import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CopyResult } from '../../../../shared/data/duckdb/engine.ts';
import { type CopyUpload, uploadCopy } from '../../../../shared/data/tables/copy-upload.ts';
import type { DataFile } from '../../../../shared/data/tables/data-file.ts';
import { rejectInexactTogether } from '../../../../shared/data/tables/load-context.ts';
import { distinctOutputs } from '../../../../shared/domains/pipelines/definition/index.ts';
import type { StepResult } from '../../../../shared/domains/pipelines/runs/index.ts';
import type { StepOutput } from '../../../../shared/domains/pipelines/store/index.ts';
import type { Attempt } from './attempt.ts';

/** A path on the scratch disk for a file that the attempt writes. */
export function scratchFile(attempt: Attempt): string {
  return join(attempt.worker.scratchDir, `${randomUUID()}.parquet`);
}

const keyOf = ({ prefix }: Attempt, part: number) => `${prefix}/part-${part}.parquet`;

/** Uploads the first file of an attempt to a path that the engine is about to write. */
export const uploadWhileWritten = (attempt: Attempt, path: string): CopyUpload =>
  uploadCopy(attempt.engine, attempt.worker.objects, keyOf(attempt, 1), path);

/** Stores a Parquet file that the attempt wrote, and caches it for the next step. */
export async function storeFile(
  attempt: Attempt,
  path: string,
  written: CopyResult,
  part: number,
  upload?: CopyUpload,
): Promise<DataFile> {
  const key = keyOf(attempt, part);
  await (upload ? upload.finish() : attempt.worker.objects.upload(key, path));
  await attempt.worker.cache.adopt({ key }, path);
  return { key, rows: written.rows, sizeBytes: written.bytes };
}

/** The output of an attempt that wrote one file. */
export async function storeOutput(
  attempt: Attempt,
  path: string,
  written: CopyResult,
  upload?: CopyUpload,
): Promise<StepOutput> {
  return outputOf(await storeFile(attempt, path, written, 1, upload), written);
}

const outputOf = (file: DataFile, { columns, rows, bytes }: CopyResult): StepOutput => ({
  files: [file],
  columns,
  rows,
  bytes,
});

/**
 * The result of a transform that wrote one file: the file is stored, or kept on this worker for the only step that
 * reads it. `unrepeatable` is why the same statement could give other rows.
 */
export async function storeOrKeep(
  attempt: Attempt,
  path: string,
  written: CopyResult,
  unrepeatable: 'clock' | 'order' | undefined,
): Promise<Pick<StepResult, 'rowsOut' | 'bytesOut' | 'writtenFor'> & { output: StepOutput }> {
  const { rows: rowsOut, bytes: bytesOut } = written;
  const file = { key: keyOf(attempt, 1), rows: rowsOut, sizeBytes: bytesOut };
  const fate = await attempt.fusion.fateOf(outputOf(file, written), unrepeatable);
  if (fate.kind === 'kept') {
    await attempt.fusion.kept.add(fate.output.files[0]!.key, path);
    return { output: fate.output, rowsOut, bytesOut };
  }
  const output = await storeOutput(attempt, path, written);
  return { output, rowsOut, bytesOut, ...(fate.reason ? { writtenFor: fate.reason } : {}) };
}

/** The output of an attempt that stores the rows of a statement. */
export async function storeStatement(attempt: Attempt, rows: string): Promise<StepOutput> {
  const path = scratchFile(attempt);
  return storeOutput(attempt, path, await attempt.engine.copyToParquet(rows, { path }));
}

/** Stores the file that an extract wrote or, if given, the rows of a statement that converts it. */
export async function storeRows(
  attempt: Attempt,
  path: string,
  written: CopyResult,
  converted: string | undefined,
  upload: CopyUpload,
): Promise<StepOutput> {
  if (converted === undefined) return storeOutput(attempt, path, written, upload);
  await upload.abandon();
  const output = await storeStatement(attempt, converted);
  await rm(path, { force: true });
  return output;
}

/** Makes the rows of an input readable as a table named `as`, or like the alias: the union by name of its outputs. */
export async function attachInput(
  attempt: Attempt,
  alias: string,
  { as = alias, ...options }: { as?: string; numbered?: string } = {},
): Promise<{ rows: number }> {
  const outputs = attempt.inputs[alias] ?? [];
  await rejectInexactOutputs(attempt, outputs);
  const files = outputs.flatMap((output) => output.files);
  const paths = await attempt.worker.cache.fetchAll(files);
  const [first] = outputs;
  await attempt.engine.attach(as, paths, { ...options, ...(first ? { emptySchema: first.columns } : {}) });
  return { rows: outputs.reduce((sum, output) => sum + output.rows, 0) };
}

/** Throws SCHEMA_MISMATCH for outputs whose union would lose digits of integers: the types of items may differ. */
export function rejectInexactOutputs({ engine, worker }: Attempt, outputs: readonly StepOutput[]): Promise<void> {
  const parts = outputs.map(({ columns, files }) => ({ columns, paths: () => worker.cache.fetchAll(files) }));
  return rejectInexactTogether(engine, parts);
}

/** How many rows a step reads through these aliases; rows with two aliases count once. */
export function rowsBehind({ inputs }: Attempt, aliases: readonly string[]): number {
  const named = Object.fromEntries(aliases.map((alias) => [alias, inputs[alias] ?? []]));
  return distinctOutputs(named).reduce((sum, { rows }) => sum + rows, 0);
}

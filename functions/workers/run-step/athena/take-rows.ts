import { open, rm } from 'node:fs/promises';
import type { DataFile } from '../../../../shared/datasets/record.ts';
import { quoteLiteral } from '../../../../shared/engine/quoting.ts';
import { attemptPrefix } from '../../../../shared/pipelines/run-keys.ts';
import type { StepResult } from '../../../../shared/pipelines/settle.ts';
import { type Attempt, StepFailure } from '../attempt.ts';
import { scratchFile } from '../output.ts';
import { judgeStep } from './judge.ts';
import { rowsPrefix } from './statements.ts';

/** More than the footer of nearly every file. */
const TAIL_BYTES = 256 * 1024;

/** Takes the files that Athena has written over as the output of the step, as if a function had written them. */
export async function takeRows(attempt: Attempt): Promise<StepResult> {
  const { inputs, step, values, worker } = attempt;
  const judged = await judgeStep(step, inputs, values, worker.scratchDir);
  if (!judged.moves) throw new Error('a step that cannot move was moved');
  const { columns } = judged;
  const written = await worker.objects.list(rowsPrefix(attemptPrefix(attempt.stored)));
  const files: DataFile[] = [];
  for (const { key, sizeBytes } of written) {
    if (sizeBytes === 0) continue;
    const { rows, types } = await footerOf(attempt, key, sizeBytes);
    const wanted = columns.map(({ name, type }) => `${name} ${type}`);
    if (types.join() !== wanted.join()) {
      throw new StepFailure('SCHEMA_MISMATCH', `Athena wrote (${types.join(', ')}) instead of (${wanted.join(', ')}).`);
    }
    if (rows > 0) files.push({ key, rows, sizeBytes });
  }
  const sum = (of: (file: DataFile) => number) => files.reduce((total, file) => total + of(file), 0);
  const [rows, bytes] = [sum((file) => file.rows), sum((file) => file.sizeBytes)];
  const rowsIn = judged.tables
    .flatMap((alias) => inputs[alias] ?? [])
    .reduce((total, output) => total + output.rows, 0);
  attempt.log('info', `Athena wrote ${files.length} files.`);
  return { output: { files, columns, rows, bytes }, rowsIn, rowsOut: rows, bytesOut: bytes };
}

/** What a Parquet file says at its end: a file with a hole in place of the rows is enough to read it. */
async function footerOf(attempt: Attempt, key: string, sizeBytes: number): Promise<{ rows: number; types: string[] }> {
  const { engine, worker } = attempt;
  let tail = await worker.objects.readEnd(key, Math.min(TAIL_BYTES, sizeBytes));
  const footerBytes = tail.readUInt32LE(tail.length - 8) + 8;
  if (footerBytes > tail.length) tail = await worker.objects.readEnd(key, Math.min(footerBytes, sizeBytes));
  const path = scratchFile(attempt);
  const file = await open(path, 'wx');
  try {
    await file.truncate(sizeBytes);
    await file.write(tail, 0, tail.length, sizeBytes - tail.length);
    await file.write('PAR1', 0);
  } finally {
    await file.close();
  }
  const from = quoteLiteral(path);
  const [[rows] = []] = await engine.run(`SELECT num_rows FROM parquet_file_metadata(${from})`);
  const described = await engine.describe(`SELECT * FROM read_parquet(${from})`);
  await rm(path);
  return { rows: Number(rows), types: described.map(({ name, type }) => `${name} ${type}`) };
}

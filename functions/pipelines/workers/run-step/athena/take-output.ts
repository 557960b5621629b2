import type { Column } from '../../../../../shared/data/duckdb/column-types.ts';
import type { DataFile } from '../../../../../shared/data/tables/data-file.ts';
import type { StepResult } from '../../../../../shared/domains/pipelines/runs/index.ts';
import { attemptPrefix } from '../../../../../shared/domains/pipelines/store/index.ts';
import { type Attempt, StepFailure } from '../attempt.ts';
import { rowsBehind } from '../output.ts';
import { checkStep } from './check-step.ts';
import { readFooter } from './footers.ts';
import { rowsPrefix } from './statements.ts';

/** Takes the files that Athena wrote as the output of the step. */
export async function takeOutput(attempt: Attempt): Promise<StepResult> {
  const { inputs, step, values, worker } = attempt;
  const checked = await checkStep(worker, step, inputs, values);
  if (!checked.moves) throw new Error('a step that cannot run on Athena was moved there');
  const { columns } = checked;
  const written = await worker.objects.list(rowsPrefix(attemptPrefix(attempt.stored)));
  const files: DataFile[] = [];
  for (const { key, sizeBytes } of written) {
    if (sizeBytes === 0) continue;
    const { rows, columns: found } = await readFooter({ ...worker, engine: attempt.engine }, { key, sizeBytes });
    if (listed(found) !== listed(columns)) {
      throw new StepFailure('SCHEMA_MISMATCH', `Athena wrote (${listed(found)}) instead of (${listed(columns)}).`);
    }
    if (rows > 0) files.push({ key, rows, sizeBytes });
  }
  const sum = (of: (file: DataFile) => number) => files.reduce((total, file) => total + of(file), 0);
  const [rows, bytes] = [sum((file) => file.rows), sum((file) => file.sizeBytes)];
  const rowsIn = rowsBehind(attempt, checked.tables);
  attempt.log('info', `Athena wrote ${files.length} files.`);
  return { output: { files, columns, rows, bytes }, rowsIn, rowsOut: rows, bytesOut: bytes };
}

const listed = (columns: readonly Column[]) => columns.map(({ name, type }) => `${name} ${type}`).join(', ');

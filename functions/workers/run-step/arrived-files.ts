import { rm } from 'node:fs/promises';
import type { ExtractResult } from '../../../shared/sources/text-rows.ts';
import { type Attempt, StepFailure } from './attempt.ts';
import { scratchFile } from './output.ts';

/** Reads the files that have started the run, one after the other, as one table: their rows under the names of all columns. */
export async function readArrivedFiles(
  attempt: Attempt,
  read: (path: string, out: string) => Promise<ExtractResult>,
  out: string,
): Promise<ExtractResult> {
  const paths = attempt.values.trigger.files ?? [];
  if (paths.length === 0) throw new StepFailure('NOT_FOUND', 'The run was not started by files that have arrived.');
  const parts: string[] = [];
  try {
    const lossyValues: ExtractResult['lossyValues'] = [];
    for (const path of paths) {
      const part = scratchFile(attempt);
      parts.push(part);
      const written = await read(path, part);
      lossyValues.push(...written.lossyValues);
      if (written.rejected) {
        const { rows, firstLine } = written.rejected;
        attempt.log(
          'warn',
          `${path}: ${rows} rows with more or fewer values than columns are left out, the first in line ${firstLine}.`,
        );
      }
    }
    attempt.log('info', `Read ${paths.length} files.`);
    await attempt.engine.attach('arrived', parts);
    return { ...(await attempt.engine.copyToParquet('SELECT * FROM arrived', { path: out })), lossyValues };
  } finally {
    await Promise.all(parts.map((part) => rm(part, { force: true })));
  }
}

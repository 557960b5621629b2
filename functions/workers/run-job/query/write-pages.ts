import type { Engine } from '../../../../shared/engine/engine.ts';
import type { ObjectStore } from '../../../../shared/objects/object-store.ts';
import { PAGE_LIMITS, QUERY_JOB_LIMITS, type QueryJobKeys } from '../../../../shared/query/query-job.ts';
import { JobFailure } from '../job-kind.ts';

/** Writes the rows of a statement of our own as pages, each small enough for a reply. Fails with RESULT_TOO_LARGE. */
export async function writePages(
  objects: Pick<ObjectStore, 'write'>,
  engine: Engine,
  sql: string,
  keys: QueryJobKeys,
  report: (rows: number) => void,
): Promise<{ pages: number; isLossy: boolean }> {
  const { batches } = await engine.rowTexts(sql, { limit: QUERY_JOB_LIMITS.rows, shape: 'array' });
  let rows: string[] = [];
  let bytes = 0;
  let [pages, total, written] = [0, 0, 0];
  let isLossy = false;

  async function turnPage(): Promise<void> {
    await objects.write(keys.page(pages), Buffer.from(`[${rows.join(',')}]`), 'application/json');
    pages += 1;
    written += rows.length;
    report(written);
    [rows, bytes] = [[], 0];
  }

  for await (const batch of batches) {
    isLossy ||= batch.lossy;
    for (const row of batch.rows) {
      const size = Buffer.byteLength(row) + 1;
      if (size > PAGE_LIMITS.bytes) throw new JobFailure('RESULT_TOO_LARGE', 'A row is larger than a page can hold.');
      if (rows.length === PAGE_LIMITS.rows || bytes + size > PAGE_LIMITS.bytes) await turnPage();
      rows.push(row);
      bytes += size;
      total += size;
      if (total > QUERY_JOB_LIMITS.bytes)
        throw new JobFailure('RESULT_TOO_LARGE', 'The rows are more than can be kept.');
    }
  }
  if (rows.length > 0 || pages === 0) await turnPage();
  return { pages, isLossy };
}

import {
  PAGE_LIMITS,
  QUERY_JOB_LIMITS,
  type QueryJobKeys,
} from '../../../../../shared/domains/semantics/queries/index.ts';
import type { ObjectStore } from '../../../../../shared/platform/objects/object-store.ts';
import { JobFailure } from '../job-kind.ts';

export interface PageWriter {
  /** Adds rows as JSON texts. Throws RESULT_TOO_LARGE. */
  add(rows: readonly string[]): Promise<void>;
  /** Writes the remaining rows and returns the number of pages, which is at least one. */
  finish(): Promise<number>;
}

/** Writes rows as pages, each small enough for a reply. Calls `report` with the number of rows written so far. */
export function pageWriter(
  objects: Pick<ObjectStore, 'write'>,
  keys: QueryJobKeys,
  report: (rows: number) => void,
): PageWriter {
  let rows: string[] = [];
  let bytes = 0;
  let [pages, total, written] = [0, 0, 0];

  async function turnPage(): Promise<void> {
    await objects.write(keys.page(pages), Buffer.from(`[${rows.join(',')}]`), 'application/json');
    pages += 1;
    written += rows.length;
    report(written);
    [rows, bytes] = [[], 0];
  }

  return {
    async add(more) {
      for (const row of more) {
        const size = Buffer.byteLength(row) + 1;
        if (size > PAGE_LIMITS.bytes) throw tooLarge('A row exceeds the size limit of a page.');
        if (rows.length === PAGE_LIMITS.rows || bytes + size > PAGE_LIMITS.bytes) await turnPage();
        rows.push(row);
        bytes += size;
        total += size;
        if (total > QUERY_JOB_LIMITS.bytes) throw tooLarge('The rows exceed the size limit of a stored result.');
      }
    },

    async finish() {
      if (rows.length > 0 || pages === 0) await turnPage();
      return pages;
    },
  };
}

const tooLarge = (message: string) => new JobFailure('RESULT_TOO_LARGE', message);

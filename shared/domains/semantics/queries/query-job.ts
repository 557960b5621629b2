import type { QueryCommand, RowRights } from './command.ts';
import type { Columns, DatasetRights } from './dataset-rights.ts';
import type { ResultColumns } from './schemas.ts';

/** The objects of a query that runs as a job; all of them expire after two days. */
export interface QueryJobKeys {
  command: string;
  report: string;
  file: string;
  page(number: number): string;
  /**
   * Exists while the engine works on an attempt. If a later attempt finds it, the process of that attempt has crashed.
   */
  attemptMarker(attempt: number): string;
}

export function queryJobKeys(workspaceId: string, jobId: string): QueryJobKeys {
  const folder = `results/${workspaceId}/jobs/${jobId}`;
  return {
    command: `${folder}/command.json`,
    report: `${folder}/result.json`,
    file: `${folder}/result.parquet`,
    page: (number) => `${folder}/page-${number}.json`,
    attemptMarker: (attempt) => `${folder}/at-work-${attempt}`,
  };
}

/** The request, which may be too large for the item of the job. */
export interface QueryJobCommand extends Omit<QueryCommand, 'workspaceId' | 'maxAgeSeconds' | 'principal'> {
  /** As the rights were when the job was started. They are compared with those of each reader of its rows. */
  rights: RowRights;
  restrictions?: DatasetRights['restrictions'];
  /** The datasets that the statement mentions. Rights to the rows depend on them even after they are deleted. */
  datasets?: Columns[];
}

/**
 * Describes the rows, which are stored in pages from 0, each a JSON array of arrays, and together in a Parquet file.
 */
export interface QueryJobReport {
  /** The rights for which the rows were computed. */
  rights: RowRights;
  columns: ResultColumns;
  rowCount: number;
  truncated: boolean;
  warnings: string[];
  pages: number;
  fileBytes: number;
  asOf: string;
}

export const QUERY_JOB_LIMITS = { rows: 1_000_000, bytes: 512 * 1024 * 1024, timeoutMs: 10 * 60 * 1000 };
export const PAGE_LIMITS = { rows: 10_000, bytes: 2.5 * 1024 * 1024 };

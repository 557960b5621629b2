import type { QueryCommand, RowRights } from './command.ts';
import type { ResultColumns } from './schemas.ts';

/** Where the parts of a query that runs as a job lie; all of them go away after two days. */
export interface QueryJobKeys {
  command: string;
  told: string;
  file: string;
  page(number: number): string;
  /** Lies there while the engine works on it in an attempt: whoever finds it later knows that the attempt's process died then. */
  atWork(attempt: number): string;
}

export function queryJobKeys(workspaceId: string, jobId: string): QueryJobKeys {
  const folder = `results/${workspaceId}/jobs/${jobId}`;
  return {
    command: `${folder}/command.json`,
    told: `${folder}/result.json`,
    file: `${folder}/result.parquet`,
    page: (number) => `${folder}/page-${number}.json`,
    atWork: (attempt) => `${folder}/at-work-${attempt}`,
  };
}

/** The statement as it was asked for: too large for the job's own item. */
export type QueryJobCommand = Omit<QueryCommand, 'workspaceId' | 'maxAgeSeconds'>;

/** What there is to say about the rows, which lie in pages from 0, each a JSON array of arrays, and together in a Parquet file. */
export interface QueryJobReport {
  /** Whose rows these are. */
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

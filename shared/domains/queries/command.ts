import type { QueryParameters } from '../../data/duckdb/parameters.ts';
import type { ResultFileFormat } from '../../data/duckdb/result-formats.ts';
import type { Principal } from '../../platform/auth/principal.ts';
import { AppError } from '../../platform/errors/app-error.ts';

/** A statement, where it reads, how it is run and for whom. */
export interface QueryCommand {
  workspaceId: string;
  rights: RowRights;
  sql: string;
  params: QueryParameters;
  /** The datasets to read; all of the workspace when absent. */
  datasetIds?: string[];
  /** A data source to read in place of datasets. */
  sourceId?: string;
  limit: number;
  timeoutMs: number;
  timezone: string;
  maxAgeSeconds?: number;
}

/**
 * Which rows a caller may see. Part of every key under which an answer is cached, so that nobody gets what was computed
 * for somebody who sees more. Every member of a workspace sees all rows of its datasets.
 */
export interface RowRights {
  role: Principal['role'];
  rows: 'all';
}

export const rightsOf = ({ role }: Principal): RowRights => ({ role, rows: 'all' });

/** Whether what was computed for the one may be shown to the other. */
export const sameRights = (one: RowRights, other: RowRights) => one.role === other.role && one.rows === other.rows;

/** Throws VALIDATION_FAILED for a statement that is to read in two places at once. */
export function refuseTwoPlaces({ sourceId, datasetIds }: Pick<QueryCommand, 'sourceId' | 'datasetIds'>): void {
  if (sourceId === undefined || datasetIds === undefined) return;
  throw new AppError('VALIDATION_FAILED', {
    errors: [{ pointer: '/datasetIds', code: 'CONFLICT', message: 'cannot be given together with sourceId' }],
  });
}

/** What a statement gave. */
export interface Computed {
  columns: { name: string; type: string }[];
  rowCount: number;
  truncated: boolean;
  warnings: string[];
  ms: number;
  /** Size of the files that were needed. */
  bytes: number;
  /** `rows`: a JSON array of arrays in the wire format; of a file its content in base64, unless it lies in the bucket. */
  payload: string;
  object?: { key: string; bytes: number };
}

export type ResultFormat = 'rows' | ResultFileFormat;

/** The gateway waits 29 seconds, for waiting, dialling, computing and replying together. */
export const MAX_REQUEST_MS = 26_000;
/** A function's answer may have 6 MB, in which text is quoted: that can double it. */
export const MAX_TEXT_BYTES = 2.75 * 1024 * 1024;
/** Bytes become a third more in base64. */
export const MAX_BINARY_BYTES = 4 * 1024 * 1024;
export const MAX_FILE_BYTES = 256 * 1024 * 1024;

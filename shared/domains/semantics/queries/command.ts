import type { QueryParameters } from '../../../data/duckdb/parameters.ts';
import type { ResultFileFormat, Spreadsheet } from '../../../data/duckdb/result-formats.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';

/** A statement with its target, options and caller. */
export interface QueryCommand {
  workspaceId: string;
  principal: Principal;
  sql: string;
  params: QueryParameters;
  /** The datasets to read; all of the workspace if absent. */
  datasetIds?: string[];
  /** A data source to read instead of datasets. */
  sourceId?: string;
  limit: number;
  timeoutMs: number;
  timezone: string;
  maxAgeSeconds?: number;
  /** Files of earlier results that the statement reads besides the datasets. */
  tables?: readonly AttachedFile[];
  /** For CSV that people open in a spreadsheet. */
  spreadsheet?: Spreadsheet;
}

/** A Parquet file of an earlier result, as a table. */
export interface AttachedFile {
  name: string;
  columns: { name: string; type: string }[];
  key: string;
  bytes: number;
  rows: number;
}

/**
 * Which rows a caller may see. It is part of every cache key, so a caller never gets an answer that was computed for
 * one with more rights.
 */
export interface RowRights {
  role: Principal['role'];
  /** The fingerprint of what models restrict; `all` if they restrict nothing. */
  rows: string;
}

export const rightsOf = ({ role }: Principal, rows: string): RowRights => ({ role, rows });

/** Whether an answer for one caller may be shown to the other. */
export const sameRights = (one: RowRights, other: RowRights) => one.role === other.role && one.rows === other.rows;

/** Throws VALIDATION_FAILED for a statement with both a data source and datasets. */
export function assertOneTarget({ sourceId, datasetIds }: Pick<QueryCommand, 'sourceId' | 'datasetIds'>): void {
  if (sourceId === undefined || datasetIds === undefined) return;
  throw new AppError('VALIDATION_FAILED', {
    errors: [{ pointer: '/datasetIds', code: 'CONFLICT', message: 'cannot be given together with sourceId' }],
  });
}

/** The result of a statement. */
export interface StatementResult {
  columns: { name: string; type: string }[];
  rowCount: number;
  truncated: boolean;
  warnings: string[];
  ms: number;
  /** The size of the files that were read. */
  bytes: number;
  /**
   * For `rows`, a JSON array of arrays in the wire format; for a file, its content in base64 unless it is in the
   * bucket.
   */
  payload: string;
  object?: { key: string; bytes: number };
}

export type ResultFormat = 'rows' | ResultFileFormat;

/** The gateway waits 29 seconds in total: for waiting, connecting, computing and replying. */
export const MAX_REQUEST_MS = 26_000;
/** A Lambda response may have 6 MB, and quoting can double the size of text. */
export const MAX_TEXT_BYTES = 2.75 * 1024 * 1024;
/** Base64 adds a third. */
export const MAX_BINARY_BYTES = 4 * 1024 * 1024;
export const MAX_FILE_BYTES = 256 * 1024 * 1024;

import { ApiError, api, type Types } from './client.ts';
import { saveFile } from './files.ts';

export type ResultColumn = Types.ResultColumn;

/** A statement as a person runs it. */
export interface Statement {
  sql: string;
  /** A database to read in the place of datasets. */
  sourceId?: string | undefined;
  params?: Values | undefined;
  timezone?: string | undefined;
  limit: number;
}

/** By the name of each `$name`; a list for `$1`, `$2` and so on. */
export type Values = Exclude<Types.RunQuery['params'], undefined>;

export interface ResultSet {
  columns: readonly ResultColumn[];
  rows: readonly (readonly unknown[])[];
  truncated: boolean;
  warnings: readonly string[];
  asOf: string;
  /** Whether the rows were computed before this run. */
  isCached: boolean;
}

/** Of one result. */
export const MAX_ROWS = 50_000;
/** As long as a request may take. */
const TIMEOUT_MS = 25_000;
export const JOB_TIMEOUT_MS = 600_000;

const bodyOf = ({ sql, sourceId, params, timezone, limit }: Statement) => ({
  sql,
  limit,
  ...(sourceId !== undefined && { sourceId }),
  ...(params !== undefined && { params }),
  ...(timezone !== undefined && { timezone }),
});

/**
 * Runs a statement. Rows that are too large for one reply are read in pages, from a job that keeps them for a day.
 */
export async function runStatement(statement: Statement, signal: AbortSignal): Promise<ResultSet> {
  try {
    const body = { ...bodyOf(statement), timeoutMs: TIMEOUT_MS };
    const reply = await api.query.run(body, { signal, timeoutMs: TIMEOUT_MS + 10_000 });
    const { columns, rows, truncated, warnings, asOf, stats } = reply as Types.QueryResult;
    return { columns, rows, truncated, warnings, asOf, isCached: stats.cache === 'hit' };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'RESULT_TOO_LARGE') throw error;
    return runAsJob(statement, signal);
  }
}

const FIRST_WAIT_MS = 200;
const MAX_WAIT_MS = 2_000;

/** Runs a statement for up to ten minutes. When the signal aborts, the job is cancelled too. */
export async function runAsJob(statement: Statement, signal: AbortSignal): Promise<ResultSet> {
  const { id } = await api.query.startJob({ ...bodyOf(statement), timeoutMs: JOB_TIMEOUT_MS }, { signal });
  try {
    await ended(id, signal);
    return await pagesOf(id, signal);
  } catch (error) {
    if (signal.aborted) void api.query.cancelJob(id).catch(() => {});
    throw error;
  }
}

/** A job that has failed, in the form of a request that has. */
export class JobFailed extends Error {
  readonly code: string;

  constructor({ code, message }: Types.JobError) {
    super(message);
    this.code = code;
  }
}

async function ended(id: string, signal: AbortSignal): Promise<void> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(MAX_WAIT_MS, wait * 1.5)) {
    const { status, error } = await api.query.getJob(id, { signal });
    if (status === 'succeeded') return;
    if (status === 'failed' || status === 'cancelled') {
      throw new JobFailed(error ?? { code: 'CANCELLED', message: 'The query was cancelled.' });
    }
    await pause(wait, signal);
  }
}

async function pagesOf(id: string, signal: AbortSignal): Promise<ResultSet> {
  const rows: unknown[][] = [];
  for (let cursor = 0; ; ) {
    const page = (await api.query.getJobResult(id, { cursor }, { signal })) as Types.QueryJobPage;
    for (const row of page.rows) rows.push(row);
    if (page.nextCursor === null) {
      const { columns, truncated, warnings, asOf } = page;
      return { columns, rows, truncated, warnings, asOf, isCached: false };
    }
    cursor = Number(page.nextCursor);
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

export const FORMATS = {
  csv: 'text/csv',
  parquet: 'application/vnd.apache.parquet',
  ndjson: 'application/x-ndjson',
} as const;
export type Format = keyof typeof FORMATS;

/** Saves the rows that the person may see as a file. */
export async function downloadRows(
  statement: Statement & { datasetIds?: string[] },
  format: Format,
  name: string,
): Promise<void> {
  const { datasetIds } = statement;
  const reply = await api.query.run(
    { ...bodyOf(statement), ...(datasetIds && { datasetIds }), timeoutMs: TIMEOUT_MS },
    { accept: FORMATS[format], timeoutMs: TIMEOUT_MS + 5_000 },
  );
  await saveFile(reply, `${name}.${format}`);
}

/** A name as a statement refers to it: in double quotes where it needs them. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

import type { ResultFileFormat } from '../../../data/duckdb/result-formats.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { EngineFunction, TableInput } from '../../engine/index.ts';
import type { Dataset } from '../../warehouse/datasets/index.ts';
import type { ReaderRights, RightsDeps } from '../row-rights/index.ts';
import { canonicalSql, isVolatile } from './canonical-sql.ts';
import {
  type AttachedFile,
  assertOneTarget,
  MAX_BINARY_BYTES,
  MAX_FILE_BYTES,
  MAX_REQUEST_MS,
  MAX_TEXT_BYTES,
  type QueryCommand,
  type ResultFormat,
  type RowRights,
  rightsOf,
  type StatementResult,
} from './command.ts';
import { assertRawSql, type DatasetRights, datasetRights, rightsToDatasets } from './dataset-rights.ts';
import { type DatasetDeps, mentionedDatasets, tablesOf } from './dataset-tables.ts';
import { rowsAsFile } from './live-files.ts';
import type { LiveSource, LiveSources } from './live-sources.ts';
import type { CacheAnswer, ResultCache } from './result-cache.ts';
import type { CacheOutcome } from './schemas.ts';
import { canonicalTimezone } from './timezone.ts';

export interface QueryDeps extends DatasetDeps {
  engine: EngineFunction;
  cache: ResultCache;
  live: LiveSources;
  /** How old an answer from a live source may be if the caller does not say; 0 by default. */
  liveMaxAgeSeconds?: number;
  /** How long a statement may take, waiting included; that of a request by default. */
  maxMs?: number;
  /** Called before a statement runs; not for cached answers. What it throws is thrown instead of running it. */
  admit?: () => Promise<void>;
  rights: RightsDeps;
  now: () => Date;
  newId: () => string;
}

export interface Answer extends StatementResult {
  cache: CacheOutcome;
  asOf: string;
  /** The datasets that the statement may have read. */
  datasetIds: readonly string[];
}

/** The versions of datasets are part of the cache key, so answers stay valid until the datasets change. */
const DATASETS_MAX_AGE_SECONDS = 60 * 60;

/** Runs a statement or returns the cached answer of an equal one. Throws the errors of the statement. */
export function runQuery(deps: QueryDeps, command: QueryCommand, format: ResultFormat): Promise<Answer> {
  return run(deps, command, format, targetOf);
}

/** A statement that was made with the rights of the caller, and runs with the same. */
export interface RestrictedCommand extends QueryCommand {
  ofCaller: ReaderRights;
}

/** The same for a statement of the platform's own that contains the conditions for what the caller may see. */
export function runRestricted(
  deps: QueryDeps,
  command: RestrictedCommand,
  format: ResultFormat = 'rows',
): Promise<Answer> {
  return run(deps, command, format, restrictedTarget);
}

/**
 * Runs such a statement and stores its rows as a Parquet file for an hour, or finds the file of an equal statement over
 * the same versions of the datasets.
 */
export async function runToFile(
  deps: QueryDeps,
  command: RestrictedCommand,
): Promise<Omit<AttachedFile, 'name'> & { truncated: boolean }> {
  const { object, columns, rowCount, truncated } = await run(deps, command, 'parquet', (...args) =>
    restrictedTarget(...args, 0),
  );
  const { key, bytes } = object!;
  return { key, bytes, columns, rows: rowCount, truncated };
}

/** The bytes of a file, or where it is in the bucket. */
export type FileContent = Buffer | { key: string; bytes: number };

/** The file of an answer in another format than `rows`. */
export const fileContent = ({ payload, object }: Pick<Answer, 'payload' | 'object'>): FileContent =>
  object ?? Buffer.from(payload, 'base64');

async function run<Command extends QueryCommand>(
  deps: QueryDeps,
  command: Command,
  format: ResultFormat,
  targetFor: (deps: QueryDeps, command: Command, format: ResultFormat) => Promise<Target>,
): Promise<Answer> {
  const startedAt = deps.now().getTime();
  const timezone = canonicalTimezone(command.timezone);
  const target = await targetFor(deps, { ...command, timezone }, format);
  const maxAgeSeconds = command.maxAgeSeconds ?? target.maxAgeSeconds;
  const compute = async () => {
    // Waiting in vain for the answer of another request leaves less time.
    const withinMs = (deps.maxMs ?? MAX_REQUEST_MS) - (deps.now().getTime() - startedAt);
    if (withinMs < MIN_COMPUTE_MS) throw new AppError('QUERY_TIMEOUT');
    await deps.admit?.();
    return target.compute(withinMs);
  };
  const { text, outcome, asOf } =
    isVolatile(command) || maxAgeSeconds === 0
      ? await computed(deps, compute)
      : await cached(deps, { ...command, timezone }, format, { ...target, compute }, maxAgeSeconds);
  return { ...fromText(text), cache: outcome, asOf, datasetIds: target.datasetIds };
}

/** With less time left, a statement is not started. */
const MIN_COMPUTE_MS = 100;

interface Target {
  /** What the answer depends on besides the statement. */
  reads: readonly unknown[];
  /** What the caller may see of it. */
  rights: RowRights;
  datasetIds: readonly string[];
  maxAgeSeconds: number;
  compute: (withinMs: number) => Promise<StatementResult>;
}

async function targetOf(deps: QueryDeps, command: QueryCommand, format: ResultFormat): Promise<Target> {
  const { sourceId, principal } = command;
  assertOneTarget(command);
  if (sourceId === undefined) {
    const datasets = await mentionedDatasets(deps, command);
    return datasetTarget(deps, command, { datasets, format, rights: await datasetRights(deps, principal, datasets) });
  }
  const source = await deps.live.find(command.workspaceId, sourceId);
  await assertRawSql(deps, principal, sourceId);
  return liveTarget(deps, command, { source, format });
}

async function restrictedTarget(
  deps: QueryDeps,
  command: RestrictedCommand,
  format: ResultFormat,
  inlineBytes?: number,
): Promise<Target> {
  const { sourceId, workspaceId } = command;
  if (sourceId !== undefined)
    return liveTarget(deps, command, { source: await deps.live.find(workspaceId, sourceId), format });
  const datasets = await mentionedDatasets(deps, command);
  // An expression can fail, as by an overflow, on a row that a condition beside it leaves out, and the error would show
  // that row.
  const rights = await rightsToDatasets(command.ofCaller, datasets);
  return datasetTarget(deps, command, { datasets, format, rights, inlineBytes });
}

function datasetTarget(
  deps: QueryDeps,
  command: QueryCommand,
  { datasets, rights, ...output }: { datasets: Dataset[]; rights: DatasetRights } & Output,
): Target {
  return {
    rights: rightsOf(command.principal, rights.fingerprint),
    datasetIds: datasets.map(({ id }) => id),
    reads: [
      ...datasets.map(({ id, name, version }) => ({ id, name, version })),
      ...(command.tables ?? []).map(({ name, key }) => ({ name, key })),
    ],
    maxAgeSeconds: DATASETS_MAX_AGE_SECONDS,
    compute: (withinMs) =>
      overDatasets(deps, { ...command, timeoutMs: Math.min(command.timeoutMs, withinMs) }, datasets, rights, output),
  };
}

const liveTarget = (
  deps: QueryDeps,
  command: QueryCommand,
  { source, format }: { source: LiveSource; format: ResultFormat },
): Target => ({
  rights: rightsOf(command.principal, 'all'),
  datasetIds: [],
  reads: [{ id: source.id, updatedAt: source.updatedAt }],
  maxAgeSeconds: deps.liveMaxAgeSeconds ?? 0,
  compute: async (withinMs) => rowsAsFile(await deps.live.run(source, command, withinMs), format, command.spreadsheet),
});

async function overDatasets(
  deps: QueryDeps,
  command: QueryCommand,
  datasets: Dataset[],
  { restrictions }: DatasetRights,
  { format, inlineBytes }: Output,
): Promise<StatementResult> {
  const { workspaceId, principal, sql, params, limit, timeoutMs, timezone, tables = [], spreadsheet } = command;
  const isWhole = Object.keys(restrictions).length === 0 && principal.link === undefined;
  const request = {
    sql,
    params,
    tables: [...(await tablesOf(deps, datasets, { sql, restrictions })), ...tables.map(attached)],
    limit,
    timeoutMs,
    timezone,
    ...(isWhole && { keepFor: workspaceId }),
  };
  const {
    tables: _tables,
    readBytes,
    ...rest
  } = format === 'rows'
    ? await rowsOf(deps, request)
    : await fileOf(deps, request, {
        format,
        key: `results/${workspaceId}/files/${deps.newId()}.${format}`,
        inlineBytes: inlineBytes ?? inlineLimit(format),
        spreadsheet,
      });
  return { ...rest, bytes: readBytes };
}

/** In which form the rows are wanted, and up to which size a file comes with the reply. */
interface Output {
  format: ResultFormat;
  inlineBytes?: number | undefined;
}

type Request = Omit<Parameters<EngineFunction['query']>[0], 'maxBytes'>;

async function rowsOf({ engine }: QueryDeps, request: Request) {
  const { rowsJson: payload, ...rest } = await engine.query({ ...request, maxBytes: MAX_TEXT_BYTES });
  return { ...rest, payload };
}

const inlineLimit = (format: ResultFileFormat) =>
  format === 'csv' || format === 'ndjson' ? MAX_TEXT_BYTES : MAX_BINARY_BYTES;

/** It has no bounds, so all of it is read. */
const attached = ({ name, columns, key, bytes, rows }: AttachedFile): TableInput => ({
  name,
  columns,
  files: [{ key, sizeBytes: bytes, rows, stats: {} }],
});

async function fileOf({ engine }: QueryDeps, request: Request, file: Parameters<EngineFunction['file']>[0]['file']) {
  const { content, bytes, ...rest } = await engine.file({ ...request, maxBytes: MAX_FILE_BYTES, file });
  return content === null ? { ...rest, payload: '', object: { key: file.key, bytes } } : { ...rest, payload: content };
}

async function computed(deps: QueryDeps, compute: () => Promise<StatementResult>): Promise<CacheAnswer> {
  const asOf = deps.now().toISOString();
  return { text: toText(await compute()), outcome: 'miss', asOf };
}

function cached(
  deps: QueryDeps,
  command: QueryCommand,
  format: ResultFormat,
  { reads, rights, compute }: Pick<Target, 'reads' | 'rights'> & { compute: () => Promise<StatementResult> },
  maxAgeSeconds: number,
): Promise<CacheAnswer> {
  const { workspaceId, sql, params, limit, timeoutMs, timezone, spreadsheet } = command;
  const key = {
    sql: canonicalSql(sql),
    params,
    timezone,
    limit,
    format,
    rights,
    reads,
    ...(spreadsheet && { spreadsheet }),
  };
  return deps.cache.through(workspaceId, key, { maxAgeSeconds, waitMs: timeoutMs }, async () =>
    toText(await compute()),
  );
}

/** Metadata in one line, then the payload, so the metadata can be read without parsing the payload. */
const toText = ({ payload, ...rest }: StatementResult): string => `${JSON.stringify(rest)}\n${payload}`;

function fromText(text: string): StatementResult {
  const end = text.indexOf('\n');
  return { ...(JSON.parse(text.slice(0, end)) as Omit<StatementResult, 'payload'>), payload: text.slice(end + 1) };
}

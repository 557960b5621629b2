import type { Dataset } from '../datasets/record.ts';
import type { EngineFunction } from '../engine-function/client.ts';
import { AppError } from '../errors/app-error.ts';
import { canonicalSql, isVolatile } from './canonical-sql.ts';
import { type Computed, MOST_ROWS_BYTES, type QueryCommand } from './command.ts';
import { type DatasetDeps, mentionedDatasets, tablesOf } from './dataset-tables.ts';
import type { LiveSources } from './live-sources.ts';
import type { CacheAnswer, ResultCache } from './result-cache.ts';
import type { CacheOutcome } from './schemas.ts';
import { knownTimezone } from './timezone.ts';

export interface QueryDeps extends DatasetDeps {
  engine: EngineFunction;
  cache: ResultCache;
  live: LiveSources;
  now: () => Date;
}

export interface Answer extends Computed {
  cache: CacheOutcome;
  asOf: string;
}

/** An answer about datasets stays true until they change, which is in its key. */
const DATASETS_MAX_AGE_SECONDS = 60 * 60;

/** Runs a statement, or answers what was computed for an equal one; throws the statement's own errors. */
export async function runQuery(deps: QueryDeps, command: QueryCommand): Promise<Answer> {
  const timezone = knownTimezone(command.timezone);
  const reader = await readerOf(deps, { ...command, timezone });
  const maxAgeSeconds = command.maxAgeSeconds ?? reader.maxAgeSeconds;
  const { text, outcome, asOf } =
    isVolatile(command.sql) || maxAgeSeconds === 0
      ? await computed(deps, reader)
      : await remembered(deps, command, timezone, reader, maxAgeSeconds);
  return { ...fromText(text), cache: outcome, asOf };
}

interface Reader {
  /** What the answer depends on beside the statement. */
  reads: readonly unknown[];
  maxAgeSeconds: number;
  compute: () => Promise<Computed>;
}

async function readerOf(deps: QueryDeps, command: QueryCommand): Promise<Reader> {
  if (command.sourceId === undefined) {
    const datasets = await mentionedDatasets(deps, command);
    return {
      reads: datasets.map(({ id, name, version }) => ({ id, name, version })),
      maxAgeSeconds: DATASETS_MAX_AGE_SECONDS,
      compute: () => overDatasets(deps, command, datasets),
    };
  }
  if (command.datasetIds) {
    throw new AppError('VALIDATION_FAILED', {
      errors: [{ pointer: '/datasetIds', code: 'CONFLICT', message: 'cannot be given together with sourceId' }],
    });
  }
  const source = await deps.live.find(command.workspaceId, command.sourceId);
  return {
    reads: [{ id: source.id, updatedAt: source.updatedAt }],
    maxAgeSeconds: 0,
    compute: () => deps.live.run(source, command),
  };
}

async function overDatasets(deps: QueryDeps, command: QueryCommand, datasets: Dataset[]): Promise<Computed> {
  const { sql, params, limit, timeoutMs, timezone } = command;
  const tables = await tablesOf(deps, datasets);
  const answer = await deps.engine.query({
    sql,
    params,
    tables,
    limit,
    maxBytes: MOST_ROWS_BYTES,
    timeoutMs,
    timezone,
  });
  const { columns, rowsJson, rowCount, truncated, warnings, ms } = answer;
  const read = datasets.filter(({ name }) => answer.tables.includes(name));
  const bytes = read.reduce((sum, dataset) => sum + dataset.sizeBytes, 0);
  return { columns, rowsJson, rowCount, truncated, warnings, ms, bytes };
}

async function computed(deps: QueryDeps, reader: Reader): Promise<CacheAnswer> {
  const asOf = deps.now().toISOString();
  return { text: toText(await reader.compute()), outcome: 'miss', asOf };
}

function remembered(
  deps: QueryDeps,
  command: QueryCommand,
  timezone: string,
  { reads, compute }: Reader,
  maxAgeSeconds: number,
): Promise<CacheAnswer> {
  const { workspaceId, sql, params, limit, rights, timeoutMs } = command;
  const key = { sql: canonicalSql(sql), params, timezone, limit, format: 'rows', rights, reads };
  return deps.cache.through(workspaceId, key, { maxAgeSeconds, waitMs: timeoutMs }, async () =>
    toText(await compute()),
  );
}

/** One line about the rows, then the rows: nobody has to parse them to read the line. */
const toText = ({ rowsJson, ...told }: Computed): string => `${JSON.stringify(told)}\n${rowsJson}`;

function fromText(text: string): Computed {
  const end = text.indexOf('\n');
  return { ...(JSON.parse(text.slice(0, end)) as Omit<Computed, 'rowsJson'>), rowsJson: text.slice(end + 1) };
}

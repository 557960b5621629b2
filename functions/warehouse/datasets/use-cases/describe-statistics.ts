import { quoteIdentifier, quoteLiteral } from '../../../../shared/data/duckdb/quoting.ts';
import type { DatasetColumn } from '../../../../shared/data/tables/data-file.ts';
import type { EngineFunction } from '../../../../shared/domains/engine/index.ts';
import { datasetRights, rowRestriction } from '../../../../shared/domains/semantics/queries/index.ts';
import type { RightsDeps } from '../../../../shared/domains/semantics/row-rights/index.ts';
import type { Dataset, DatasetRepository, Manifest } from '../../../../shared/domains/warehouse/datasets/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { ColumnStatistics, DatasetStatistics } from '../schemas.ts';
import { findDataset } from './read-datasets.ts';

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_COLUMNS = 200;
/** Distinct values are counted up to this many rows, and estimated beyond. */
const MAX_COUNTED_ROWS = 1_000_000;
const TOP_VALUES = 5;
const MAX_VALUE_LENGTH = 200;

const SCALAR = /^(string|integer|decimal\(.*\)|double|boolean|date|timestamp|timestamptz|time)$/;
const NUMERIC = /^(integer|decimal\(.*\)|double)$/;

export interface StatisticsDeps {
  datasets: DatasetRepository;
  manifest(dataset: Dataset): Promise<Manifest | undefined>;
  engine: Pick<EngineFunction, 'query'>;
  rights: RightsDeps;
  /** Computes the statistics of a version once, since a version never changes. */
  cached(dataset: Dataset, work: () => Promise<DatasetStatistics>): Promise<DatasetStatistics>;
}

/**
 * The statistics of the current version, computed on the first request; those of the rows and columns that a restricted
 * caller may see, on each of theirs.
 */
export async function describeStatistics(
  deps: StatisticsDeps,
  query: { workspaceId: string; id: string; principal: Principal },
): Promise<DatasetStatistics> {
  const dataset = await findDataset(deps, query);
  const { restrictions } = await datasetRights(deps, query.principal, [dataset]);
  const restriction = restrictions[dataset.name];
  const only = restriction && (await rowRestriction(deps, query.workspaceId, restriction));
  const { version } = dataset;
  const columns = only ? dataset.columns.filter(({ name }) => only.columns.includes(name)) : dataset.columns;
  if (version === 0 || columns.length === 0) return { version, rowCount: 0, columns: [], truncated: false };
  const cached = only ? (_dataset: Dataset, work: () => Promise<DatasetStatistics>) => work() : deps.cached;
  return cached(dataset, async () => {
    const manifest = await deps.manifest(dataset);
    const shown = columns.slice(0, MAX_COLUMNS);
    const ask = async (sql: string, limit: number): Promise<unknown[][]> => {
      const files = manifest?.files ?? [];
      const tables = [{ name: 'dataset', columns: dataset.columns, files, ...(only ? { only } : {}) }];
      const answer = await withinTime(
        deps.engine.query({ sql, params: [], tables, limit, maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS }),
      );
      return JSON.parse(answer.rowsJson) as unknown[][];
    };
    const isExact = dataset.rowCount <= MAX_COUNTED_ROWS;
    const [[[rowCount, ...figures] = []] = []] = [
      await ask(`SELECT count(*), ${shown.map((column) => figuresOf(column, isExact)).join(', ')} FROM dataset`, 1),
    ];
    const scalars = shown.filter(({ type }) => SCALAR.test(type));
    const top =
      scalars.length === 0 ? [] : await ask(scalars.map(topOf).join(' UNION ALL '), scalars.length * TOP_VALUES);
    return {
      version,
      rowCount: Number(rowCount),
      columns: shown.map((column, index) => {
        const [nulls, distinct, min, max, mean] = figures.slice(index * 5, index * 5 + 5);
        return {
          ...column,
          nulls: Number(nulls),
          distinct: { count: Number(distinct), isExact },
          min: min as string | null,
          max: max as string | null,
          mean: mean as number | null,
          topValues: topValuesOf(column.name, top),
        } satisfies ColumnStatistics;
      }),
      truncated: columns.length > shown.length,
    };
  });
}

/** Nulls, distinct values, minimum, maximum and mean of a column; null where the type has none. */
function figuresOf({ name, type }: DatasetColumn, isExact: boolean): string {
  const column = quoteIdentifier(name);
  const text = (value: string) => (SCALAR.test(type) ? `left(CAST(${value} AS VARCHAR), ${MAX_VALUE_LENGTH})` : 'NULL');
  return [
    `count(*) - count(${column})`,
    isExact ? `count(DISTINCT ${column})` : `approx_count_distinct(${column})`,
    text(`min(${column})`),
    text(`max(${column})`),
    NUMERIC.test(type) ? `CAST(avg(${column}) AS DOUBLE)` : 'NULL',
  ].join(', ');
}

function topOf({ name }: DatasetColumn): string {
  const column = quoteIdentifier(name);
  return `(SELECT ${quoteLiteral(name)}, left(CAST(${column} AS VARCHAR), ${MAX_VALUE_LENGTH}), count(*) AS n FROM dataset
    WHERE ${column} IS NOT NULL GROUP BY ${column} ORDER BY n DESC, ${column} LIMIT ${TOP_VALUES})`;
}

function topValuesOf(name: string, rows: readonly unknown[][]): ColumnStatistics['topValues'] {
  return rows
    .filter(([column]) => column === name)
    .map(([, value, count]) => ({ value: value as string, count: Number(count) }));
}

/** Reports every exceeded limit, of time or memory, as a dataset that is too large for an interactive request. */
async function withinTime<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    if (!(cause instanceof AppError && cause.code === 'QUERY_TIMEOUT')) throw cause;
    throw new AppError('QUERY_TOO_HEAVY', {
      cause,
      detail: 'The dataset is too large to compute statistics within a request.',
    });
  }
}

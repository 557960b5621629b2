import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { type ChartSpec, MAX_CHART_ROWS, readChart, readsOf } from '../../boards/charts/index.ts';
import { DATASETS } from '../../semantics/models/index.ts';
import { ASKED_KINDS, type FieldCondition, PUSHED } from '../conditions/index.ts';
import type { AnswerColumn, SourceReads } from './opened-condition.ts';
import type { AlertOpenDeps, AlertReadDeps } from './reading-deps.ts';

export type ChartQuery = ChartSpec['query'];

export const VALUE_LABEL = 'value';
export const GROUP_LABEL = 'group';
const MAX_GROUPS = 100;

/** Whether the source reduces the rows itself, so that any number of them can be. */
export const isPushed = ({ source, reduce }: FieldCondition): boolean =>
  ASKED_KINDS.has(source.kind) && source.query === undefined && reduce in PUSHED;

/** The question of a condition on a source that is no card. */
export function queryOfField(condition: FieldCondition): ChartQuery {
  const { source, column, reduce, by } = condition;
  const chartSource = { kind: source.kind, id: source.id } as ChartQuery['source'];
  if (source.kind === 'savedQuery') {
    return { source: chartSource, ...(source.params && { params: source.params }), limit: MAX_CHART_ROWS };
  }
  if (!isPushed(condition)) return { source: chartSource, ...source.query };
  const named = (name: string) => (source.kind === 'dataset' ? { column: name } : { fieldId: name });
  return {
    source: chartSource,
    measures: [{ ...named(column), aggregation: PUSHED[reduce]!, label: VALUE_LABEL }],
    ...(by && {
      dimensions: [{ ...named(by.column), label: GROUP_LABEL }],
      limit: (by.limit ?? MAX_GROUPS) + 1,
    }),
  };
}

/** The tables that a chart of the source reads. Throws its not-found error. */
export async function readsOfChart(
  deps: AlertOpenDeps,
  principal: Principal,
  source: ChartQuery['source'],
): Promise<readonly SourceReads[]> {
  const reads = await readsOf(deps, principal.workspaceId, source);
  if (!reads) throw new AppError(NOT_FOUND[source.kind]);
  return reads;
}

const NOT_FOUND = {
  savedQuery: 'SAVED_QUERY_NOT_FOUND',
  model: 'MODEL_NOT_FOUND',
  dataset: 'DATASET_NOT_FOUND',
  metric: 'METRIC_NOT_FOUND',
  blend: 'BLEND_NOT_FOUND',
} as const;

/** The ids of the datasets among the tables; null if there is anything else. */
export async function datasetsOf(
  { datasets }: Pick<AlertOpenDeps, 'datasets'>,
  workspaceId: string,
  reads: readonly SourceReads[],
): Promise<string[] | null> {
  const places = reads.map((read) => (read.sourceId === DATASETS && read.places !== 'all' ? read.places : null));
  if (places.includes(null)) return null;
  const names = [...new Set(places.flatMap((each) => each ?? []).map(({ table }) => table))];
  const found = await datasets.findMany(workspaceId, names);
  return found.length === names.length ? found.map(({ id }) => id).sort() : null;
}

export interface FetchedRows {
  columns: AnswerColumn[];
  rows: unknown[][];
}

const TIMEOUT_MS = 25_000;

/** Throws `ALERT_TOO_MANY_ROWS` instead of leaving rows out. */
export async function fetchChart(
  deps: AlertReadDeps,
  principal: Principal,
  query: ChartQuery,
  { timezone, filters = [] }: { timezone?: string | undefined; filters?: Parameters<typeof readChart>[1]['filters'] },
): Promise<FetchedRows> {
  const found = await readChart(deps, { principal, query, filters, timezone, timeoutMs: TIMEOUT_MS });
  if (found.truncated) throw new AppError('ALERT_TOO_MANY_ROWS');
  return {
    columns: found.columns.map(({ name, type }) => ({ name, type })),
    rows: JSON.parse(found.rowsJson) as unknown[][],
  };
}

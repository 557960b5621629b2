import type { ChartColumn } from '../../../data/charts/chart-columns.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import {
  isOfPeriods,
  type MetricRecord,
  metricProblems,
  metricSeries,
  metricTotal,
  showFormat,
  slowestOf,
} from '../../semantics/metrics/index.ts';
import type { ModelDefinition } from '../../semantics/models/index.ts';
import { canonicalTimezone } from '../../semantics/queries/index.ts';
import {
  answerPivot,
  answerQuestion,
  compileFor,
  datasetModel,
  MAX_PIVOT_GROUPS,
  pivotIssues,
} from '../../semantics/questions/index.ts';
import { blendColumns, readBlend } from './blend-chart.ts';
import { chartError, QUERY, queryIssues, questionOf } from './chart-question.ts';
import {
  type ChartCheckDeps,
  type ChartDataColumn,
  type ChartDeps,
  type ChartRows,
  type ReadChart,
  shownColumns,
  timezoneOf,
  withBins,
} from './chart-reading.ts';
import type { ChartQuery, SourceKind } from './chart-spec.ts';
import { withChosenParameters } from './model-parameters.ts';
import { pivotColumns } from './pivot-columns.ts';
import { lacksRows, limitedQuery } from './row-limit.ts';
import { inOrder } from './rows-from-end.ts';
import { findSaved, readSaved } from './saved-chart.ts';

/**
 * The rows of a chart that the caller may see. Throws `CHART_SPEC_INVALID` for a query that does not fit its source,
 * the not-found error of the source, and what reading it throws.
 */
export async function readChart(deps: ChartDeps, chart: ReadChart): Promise<ChartRows> {
  const { query } = chart;
  const errors = queryIssues(query);
  if (errors.length > 0) throw new AppError('CHART_SPEC_INVALID', { errors });
  const rows = await READERS[query.source.kind](deps, { ...chart, query: limitedQuery(query, chart) });
  return { ...(query.isFromEnd ? inOrder(rows, query) : rows), truncated: lacksRows(query, rows) };
}

const READERS: Readonly<Record<SourceKind, (deps: ChartDeps, chart: ReadChart) => Promise<ChartRows>>> = {
  savedQuery: readSaved,
  metric: readMetric,
  model: readModel,
  dataset: readModel,
  blend: readBlend,
};

/** The columns of a chart, without reading rows. Undefined where only running its query can tell. */
export async function chartColumns(deps: ChartCheckDeps, chart: ReadChart): Promise<ChartColumn[] | undefined> {
  const { principal, query } = chart;
  const errors = queryIssues(query);
  if (errors.length > 0) throw new AppError('CHART_SPEC_INVALID', { errors });
  if (query.source.kind === 'savedQuery') {
    await findSaved(deps, chart);
    return undefined;
  }
  if (query.source.kind === 'metric') {
    const metric = await findMetric(deps, chart);
    await assertAnswerable(deps, chart, metric);
    return metricColumns(metric, 'number', query.grain ?? metric.grain);
  }
  if (query.source.kind === 'blend') return blendColumns(deps, chart);
  const asked = { ...deps, definitions: await definitionsOf(deps, chart) };
  const question = questionOf(query, chart.filters, timezoneOf(chart));
  const { columns, ofPeriods } = await compileFor(asked, { ...question, modelId: query.source.id, principal }).catch(
    (error: unknown) => {
      throw chartError(error, query);
    },
  );
  const { pivot } = query;
  if (!pivot) return withBins(shownColumns(columns), query);
  const issues = pivotIssues(question, { columns, ofPeriods }, pivot);
  if (issues.length > 0) throw chartError(new AppError('VALIDATION_FAILED', { errors: issues }), query);
  return withBins(shownColumns(columns), query).filter(({ name }) => !pivot.columns.includes(name));
}

async function readModel(deps: ChartDeps, read: ReadChart): Promise<ChartRows> {
  const chart = await withChosenParameters(deps, read);
  const { principal, query, filters, timeoutMs, maxAgeSeconds } = chart;
  const timezone = timezoneOf(chart);
  const asked = { ...deps, definitions: await definitionsOf(deps, chart) };
  const question = {
    ...questionOf(query, filters, timezone),
    isFromEnd: query.isFromEnd === true,
    modelId: query.source.id,
    principal,
    timeoutMs,
    maxAgeSeconds,
  };
  const { columns, answer } = await columnsAndAnswer().catch((error: unknown) => {
    throw chartError(error, query);
  });
  const { rowsJson, rowCount, totals, truncated, asOf, stats, warnings } = answer;
  return {
    columns,
    rowsJson,
    rowCount,
    ...(question.totals !== 'none' && { totals }),
    truncated,
    asOf,
    cache: stats.cache,
    timezone: answer.timezone,
    warnings: [...warnings],
  };

  async function columnsAndAnswer() {
    if (!query.pivot) {
      const answer = await answerQuestion(asked, question);
      return { columns: withBins(answer.columns, query), answer };
    }
    const pivot = { maxGroups: MAX_PIVOT_GROUPS, ...query.pivot };
    const answer = await answerPivot(asked, { ...question, pivot });
    return { columns: pivotColumns(answer, query), answer };
  }
}

/** Where the question finds its model: a stored one, or the one that a dataset is taken for. */
export async function definitionsOf(
  deps: Pick<ChartDeps, 'definitions' | 'datasets'>,
  { principal, query: { source } }: Pick<ReadChart, 'principal' | 'query'>,
) {
  if (source.kind === 'model') return deps.definitions;
  const dataset = await deps.datasets.get(principal.workspaceId, source.id);
  if (!dataset) throw new AppError('DATASET_NOT_FOUND');
  const definition: ModelDefinition = datasetModel(dataset);
  return { ...deps.definitions, read: async () => definition };
}

async function findMetric(deps: Pick<ChartDeps, 'metrics'>, { principal, query: { source } }: ReadChart) {
  const metric = await deps.metrics.get(principal.workspaceId, source.id);
  if (!metric) throw new AppError('METRIC_NOT_FOUND');
  return metric;
}

async function assertAnswerable(
  deps: ChartCheckDeps,
  { principal, query }: ReadChart,
  metric: MetricRecord,
): Promise<void> {
  const definition = await deps.definitions.read({ workspaceId: principal.workspaceId, modelId: metric.modelId });
  assertHasTotal(query, { definition, metric });
  const problems = await metricProblems(deps, { definition, metric, principal, timezone: metric.timezone });
  if (problems.length === 0) return;
  const pointer = '/chartSpec/query/source/id';
  throw new AppError('CHART_SPEC_INVALID', { errors: problems.map((issue) => ({ ...issue, pointer })) });
}

/** Throws `CHART_SPEC_INVALID` for totals of a measure that has none. */
function assertHasTotal({ totals = 'none' }: ChartQuery, asked: { definition: ModelDefinition; metric: MetricRecord }) {
  if (totals === 'none' || !isOfPeriods(asked)) return;
  const message =
    'would be wrong: PRIOR, TRAILING and CUMULATIVE have a value for each period, but none for several together';
  throw new AppError('CHART_SPEC_INVALID', { errors: [{ pointer: `${QUERY}/totals`, code: 'CONFLICT', message }] });
}

async function readMetric(deps: ChartDeps, chart: ReadChart): Promise<ChartRows> {
  const { principal, query, timeoutMs } = chart;
  const metric = await findMetric(deps, chart);
  const definition = await deps.definitions.read({ workspaceId: principal.workspaceId, modelId: metric.modelId });
  const timezone = chart.timezone === undefined ? metric.timezone : canonicalTimezone(chart.timezone);
  const asked = { definition, metric, principal, timezone, timeoutMs };
  assertHasTotal(query, asked);
  const now = deps.now();
  const request = { grain: query.grain ?? metric.grain, fill: query.fill ?? 'null', now } as const;
  const { points, type, grain, dataAsOf, cache } = await metricSeries(deps, asked, request);
  const shown = points.slice(-(query.limit ?? points.length));
  const hasTotal = (query.totals ?? 'none') !== 'none';
  const total = hasTotal ? await metricTotal(deps, asked, { grain, points: shown, now }) : undefined;
  return {
    columns: metricColumns({ name: metric.name, format: showFormat(metric, definition) }, type, grain),
    rowsJson: JSON.stringify(shown.map(({ date, value }) => [date, value])),
    rowCount: shown.length,
    ...(total && { totals: [{ level: 0, row: [null, total.value] }] }),
    truncated: shown.length < points.length,
    asOf: [dataAsOf, ...(total ? [total.dataAsOf] : [])].sort()[0]!,
    cache: slowestOf([cache, ...(total ? [total.cache] : [])]),
    timezone,
    warnings: [],
  };
}

function metricColumns(
  { name, format }: Pick<MetricRecord, 'name' | 'format'>,
  type: string,
  grain: NonNullable<ChartColumn['grain']>,
): ChartDataColumn[] {
  return [
    { name: 'Period', role: 'dimension', type: 'date', format: null, grain },
    { name, role: 'measure', type, format },
  ];
}

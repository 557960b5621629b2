import { AppError } from '../../../platform/errors/app-error.ts';
import { type RowsCommand, rowsBehind } from '../../semantics/questions/index.ts';
import { chartError, questionOf } from './chart-question.ts';
import type { ChartDeps, ChartRows, ReadChart } from './chart-reading.ts';
import { withChosenParameters } from './model-parameters.ts';
import { definitionsOf } from './read-chart.ts';

/** A number of a chart: the values of some of its dimensions, by their places, and the place of its measure. */
export interface ChartPoint {
  values: ReadonlyMap<number, RowsCommand['values'][number]>;
  measure: number;
  /** Where the request names the point. */
  pointer: string;
}

/**
 * The rows of the table that the measure aggregates, each once, of those that the caller may see. For sources of kind
 * model and dataset. Throws as `readChart` does.
 */
export async function rowsBehindChart(deps: ChartDeps, read: ReadChart, point: ChartPoint): Promise<ChartRows> {
  const chart = await withChosenParameters(deps, read);
  const { principal, query, filters: chosen, timeoutMs, timezone = 'UTC' } = chart;
  const { dimensions, measures, filters, parameters, limit } = questionOf(query, chosen, timezone);
  const measure = measures[point.measure];
  if (!measure) {
    const message = `is too high: the card has ${measures.length} measures, numbered from 0`;
    const errors = [{ pointer: `${point.pointer}/measure`, code: 'UNKNOWN', message }];
    throw new AppError('VALIDATION_FAILED', { errors });
  }
  const command = {
    modelId: query.source.id,
    principal,
    timeoutMs,
    timezone,
    dimensions: [...point.values.keys()].map((place) => dimensions[place]!),
    values: [...point.values.values()],
    measure,
    filters,
    ...(parameters && { parameters }),
    columns: [],
    limit,
  };
  const asked = { ...deps, definitions: await definitionsOf(deps, chart) };
  const answer = await rowsBehind(asked, command).catch((error: unknown) => {
    throw pointError(error, point) ?? chartError(error, query);
  });
  const { columns, rowsJson, rowCount, truncated, asOf, stats, warnings } = answer;
  return {
    columns: [...columns],
    rowsJson,
    rowCount,
    truncated,
    asOf,
    cache: stats.cache,
    timezone: answer.timezone,
    warnings: [...warnings],
  };
}

/** Values and the columns to show are of the request, not of the chart. Undefined for other issues. */
function pointError(error: unknown, { pointer }: ChartPoint): AppError | undefined {
  if (!(error instanceof AppError) || error.code !== 'VALIDATION_FAILED') return undefined;
  const own = error.errors.filter((issue) => /^\/(values|columns)/.test(issue.pointer));
  if (own.length < error.errors.length) return undefined;
  const errors = own.map((issue) => ({
    ...issue,
    pointer: issue.pointer.replace(/^\/(values.*|columns)/, `${pointer}/values`),
  }));
  return new AppError('VALIDATION_FAILED', { errors, cause: error });
}

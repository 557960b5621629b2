import type { ChartColumn } from '../../../data/charts/chart-columns.ts';
import { lookIssues } from '../../../data/charts/look-issues.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { ChartCheckDeps, ReadChart } from './chart-reading.ts';
import type { ChartSpec } from './chart-spec.ts';
import { chartColumns } from './read-chart.ts';

/** Throws `CHART_SPEC_INVALID` unless the query fits its source and the drawing its columns. Reads no rows. */
export async function checkChart(
  deps: ChartCheckDeps,
  spec: ChartSpec,
  { principal, timeoutMs }: Pick<ReadChart, 'principal' | 'timeoutMs'>,
): Promise<void> {
  const columns = await chartColumns(deps, { principal, query: spec.query, filters: [], timeoutMs });
  if (columns) assertDrawable(spec, columns);
}

/** Throws `CHART_SPEC_INVALID` if channels name other columns, or miss what their mark needs. */
export function assertDrawable(spec: ChartSpec, columns: readonly ChartColumn[]): void {
  const errors = lookIssues(spec, columns).map((issue) => ({ ...issue, pointer: `/chartSpec${issue.pointer}` }));
  if (errors.length > 0) throw new AppError('CHART_SPEC_INVALID', { errors });
}

import type { ChartColumn } from '../../../data/charts/chart-columns.ts';
import { lookIssues } from '../../../data/charts/look-issues.ts';
import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
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
  // Settings of a column of a pivoted table name its measure.
  const known = columns.map(({ pivot, ...column }) => (pivot ? { ...column, name: pivot.measure } : column));
  const issues = [...lookIssues(spec, known), ...tableIssues(spec)];
  const errors = issues.map((issue) => ({ ...issue, pointer: `/chartSpec${issue.pointer}` }));
  if (errors.length > 0) throw new AppError('CHART_SPEC_INVALID', { errors });
}

/** Other charts would add up totals, and know no groups of columns. */
function tableIssues({ query: { pivot, totals = 'none' }, mark, layer }: ChartSpec): Issue[] {
  if (mark.type === 'table' && !layer) return [];
  const unused = [...(pivot ? ['pivot'] : []), ...(totals === 'none' ? [] : ['totals'])];
  const message = `has an effect only on tables; use it with \`"mark": { "type": "table" }\``;
  return unused.map((member) => ({ pointer: `/query/${member}`, code: 'CONFLICT', message }));
}

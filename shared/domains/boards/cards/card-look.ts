import { assertDrawable, type ChartSpec } from '../charts/index.ts';
import type { CardRecord } from '../dashboards/index.ts';
import type { CardRows } from './card-rows.ts';

/** How the card is drawn. A saved query without a chart is shown as a table. Throws `CHART_SPEC_INVALID`. */
export function lookOf(
  { chartSpec }: Pick<CardRecord, 'chartSpec'>,
  { columns }: Pick<CardRows, 'columns'>,
): Omit<ChartSpec, 'version' | 'query'> {
  if (!chartSpec) return { mark: { type: 'table' } };
  assertDrawable(chartSpec, columns);
  return chartSpec;
}

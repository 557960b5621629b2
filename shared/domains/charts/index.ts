/** The public API of this domain; everything else is internal. */
export type { RunFilter } from './chart-question.ts';
export { ChartSpec, MAX_CHART_ROWS } from './chart-spec.ts';
export { assertDrawable, checkChart } from './check-chart.ts';
export { isChartProtected } from './protected-chart.ts';
export { type ChartCheckDeps, type ChartDeps, type ChartRows, type ReadChart, readChart } from './read-chart.ts';

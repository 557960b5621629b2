/** The public API of this domain; everything else is internal. */
export { readChartFile } from './chart-file.ts';
export { type AskedQuery, asSource, namedField, type RunFilter } from './chart-question.ts';
export type { ChartCheckDeps, ChartDeps, ChartFile, ChartRows, ReadChart } from './chart-reading.ts';
export { type ChartQuery, ChartSpec, MAX_CHART_ROWS } from './chart-spec.ts';
export { assertDrawable, checkChart } from './check-chart.ts';
export { isProtectedSource, type ProtectedDeps, protectedReads, type Reads, readsOf } from './protected-source.ts';
export { chartColumns, definitionsOf, readChart } from './read-chart.ts';
export { type ReadingCard, type ReadTablesDeps, tablesOfCard } from './read-tables.ts';
export { classOfSources, classOfTables, SEES_ALL } from './rights-class.ts';
export { type ChartPoint, rowsBehindChart } from './rows-behind-chart.ts';
export { roleOf, type SavedField, savedFields } from './saved-chart.ts';

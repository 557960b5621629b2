/** The public API of this domain; everything else is internal. */
export { type AskedMetric, CACHE_OUTCOMES, DENIED_FIELD, metricProblems } from './ask-metric.ts';
export { GRAINS } from './calendar.ts';
export { metricAnomalies } from './metric-anomalies.ts';
export { type Drivers, metricDrivers } from './metric-drivers.ts';
export { FILLS, metricSeries } from './metric-series.ts';
export { type AskedRecord, metricValue } from './metric-value.ts';
export { type MetricDefinition, type MetricRecord, metricProperties, metricRecord, type Target } from './records.ts';
export { type MetricRepository, metricRepository } from './repository.ts';
export { PACE_STATUSES, targetIssues } from './target.ts';
export { COMPARISONS } from './windows.ts';

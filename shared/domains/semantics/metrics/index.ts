/** The public API of this domain; everything else is internal. */

export { momentOf } from './as-of.ts';
export { type AskedMetric, DENIED_FIELD, metricProblems, slowestOf } from './ask-metric.ts';
export { dateOf } from './calendar.ts';
export { certifiedMetric } from './certified-metric.ts';
export { formatAmount } from './format-amount.ts';
export { type Anomaly, metricAnomalies } from './metric-anomalies.ts';
export { type Drivers, metricDrivers } from './metric-drivers.ts';
export { type MetricGroup, metricGroups } from './metric-groups.ts';
export { isOfPeriods } from './metric-question.ts';
export { metricSeries, metricTotal } from './metric-series.ts';
export { METRIC_SUBJECT } from './metric-subject.ts';
export { type AskedRecord, type MetricValue, metricValue } from './metric-value.ts';
export { isDenied, isProtected, publicReader } from './public-reader.ts';
export {
  completeChecks,
  type MetricDefinition,
  type MetricRecord,
  meaningOfMetric,
  metricProperties,
  metricRecord,
  SetAnomalyChecks,
  type Target,
} from './records.ts';
export { type MetricRepository, metricRepository } from './repository.ts';
export { showFormat } from './show-format.ts';
export { isSwept, nextSweepAt, periodsToSweep } from './sweep-plan.ts';
export { PACE_STATUSES, targetIssues } from './target.ts';
export { COMPARISONS } from './windows.ts';

import { outboxItem } from '../../../../shared/domains/events/events/index.ts';
import { formatAmount } from '../../../../shared/domains/semantics/metrics/index.ts';
import { idFrom } from '../../../../shared/platform/storage/ids.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { periodName } from '../../kinds/digests/digest-figures.ts';
import type { SweepDeps } from './sweep-metric.ts';

/** One event for each unusual period of a metric. */
export const anomalyDetected =
  (table: Table): SweepDeps['event'] =>
  ({ workspaceId, id: metricId, name: metricName, grain, timezone, format }, anomaly) => {
    const { id, from: periodStart, value, expectedLow, expectedHigh, direction, score, detectedAt } = anomaly;
    const event = 'metric.anomaly_detected' as const;
    const data = {
      ...{ workspaceId, metricId, metricName, grain, periodStart, value: Number(value) },
      displayPeriod: periodName({ grain, timezone }, periodStart),
      displayValue: formatAmount(value, format),
      displayExpected: `${formatAmount(expectedLow, format)} to ${formatAmount(expectedHigh, format)}`,
      ...{ expectedLow, expectedHigh, direction, score, detectedAt, url: `/api/metrics/${metricId}` },
    };
    return outboxItem(table, { id: idFrom(event, id), workspaceId, event, data, at: new Date(detectedAt) });
  };

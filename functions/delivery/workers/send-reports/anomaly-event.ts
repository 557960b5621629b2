import { outboxItem } from '../../../../shared/domains/events/events/index.ts';
import { formatAmount } from '../../../../shared/domains/semantics/metrics/index.ts';
import { idFrom } from '../../../../shared/platform/storage/ids.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import type { DigestDeps } from './deliver-digest.ts';
import type { ReportContentDeps } from './report-content.ts';
import type { SweepDeps } from './sweep-metric.ts';

/** One event for each run of a digest. */
export const digestSent =
  (table: Table): DigestDeps['event'] =>
  ({ runId, at, ...sent }) => {
    const { workspaceId, digestId } = sent;
    const event = 'digest.sent' as const;
    const data = { ...sent, sentAt: at.toISOString(), url: `/api/metrics/digests/${digestId}` };
    return outboxItem(table, { id: idFrom(event, runId), workspaceId, event, data, at });
  };

/** One event for each run of a schedule of a report. */
export const reportDelivered =
  (table: Table): ReportContentDeps['delivered'] =>
  (delivered) => {
    const { workspaceId, reportId, runId, deliveredAt } = delivered;
    const event = 'report.delivered' as const;
    const data = { ...delivered, url: `/api/reports/${reportId}` };
    return outboxItem(table, { id: idFrom(event, runId), workspaceId, event, data, at: new Date(deliveredAt) });
  };

/** One event for each unusual period of a metric. */
export const anomalyDetected =
  (table: Table): SweepDeps['event'] =>
  ({ workspaceId, id: metricId, name: metricName, grain, format }, anomaly) => {
    const { id, from: periodStart, value, expectedLow, expectedHigh, direction, score, detectedAt } = anomaly;
    const event = 'metric.anomaly_detected' as const;
    const data = {
      ...{ workspaceId, metricId, metricName, grain, periodStart, value: Number(value) },
      displayValue: formatAmount(value, format),
      displayExpected: `${formatAmount(expectedLow, format)} to ${formatAmount(expectedHigh, format)}`,
      ...{ expectedLow, expectedHigh, direction, score, detectedAt, url: `/api/metrics/${metricId}` },
    };
    return outboxItem(table, { id: idFrom(event, id), workspaceId, event, data, at: new Date(detectedAt) });
  };

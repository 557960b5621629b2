import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { type Certified, unchangedItem } from '../../tenancy/certifications/index.ts';
import { planSweep } from '../metric-reports/index.ts';
import { basisOfMetric, type MetricRecord } from './records.ts';
import { metricRepository } from './repository.ts';
import { isSwept } from './sweep-plan.ts';

/** The metric as something to certify. Its checks for unusual values begin with the certification. */
export function certifiedMetric(table: Table, metric: MetricRecord): Certified & { also: TransactItem[] } {
  const { workspaceId, id, name, revision } = metric;
  return {
    ...{ type: 'metric', id, name, revision, place: { workspaceId, type: 'metric', id } },
    basis: basisOfMetric(metric),
    unchanged: unchangedItem(table, metricRepository(table).key(workspaceId, id), { revision }),
    also: isSwept(metric) ? [planSweep(table, { workspaceId, metricId: id }, table.now())] : [],
  };
}

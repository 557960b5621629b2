import { auditedRecords } from '../../../platform/audit/records.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import { withReferences } from '../../../platform/storage/references.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { guardingCertification } from '../../tenancy/certifications/index.ts';
import { planSweep, removeSweep } from '../metric-reports/index.ts';
import { measureReferences, modelReferences } from '../models/index.ts';
import { basisOfMetric, type MetricRecord, meaningOfMetric } from './records.ts';
import { isSamePlan, isSwept } from './sweep-plan.ts';

export interface MetricRepository
  extends Pick<Collection<MetricRecord>, 'key' | 'get' | 'getMany' | 'list' | 'readAll'> {
  /** Throws `METRIC_NAME_TAKEN`, or `MODEL_NOT_FOUND` if the model was deleted in between. */
  create(metric: MetricRecord): Promise<MetricRecord>;
  /** Throws the same codes, or `STALE_WRITE`. */
  replace(previous: MetricRecord, next: MetricRecord): Promise<MetricRecord>;
  /** `last` are the last items of the transaction. */
  remove(metric: MetricRecord, also: TransactItem[], last: TransactItem[]): Promise<void>;
}

/** Metrics, each of them known to its model and its measure, which cannot be deleted as long as it uses them. */
export function metricRepository(table: Table): MetricRepository {
  const metrics = collection<MetricRecord>(table, {
    entity: 'metric',
    versioned: true,
    unique: { of: ({ name }) => name, taken: 'METRIC_NAME_TAKEN' },
    logs: guardingCertification<MetricRecord>(
      table,
      { type: 'metric', meaning: meaningOfMetric, basis: basisOfMetric },
      auditedRecords<MetricRecord>(table, {
        subject: 'metric',
        name: ({ name }) => name,
        members: {
          name: 'shown',
          description: 'shown',
          modelId: 'shown',
          measureId: 'shown',
          fieldId: 'shown',
          aggregation: 'shown',
          timeFieldId: 'shown',
          grain: 'shown',
          timezone: 'shown',
          filters: 'shown',
          direction: 'shown',
          target: 'shown',
          anomalyChecks: 'shown',
          ownerId: 'shown',
        },
      }),
    ),
  });
  const gone = (cause: unknown) => new AppError('MODEL_NOT_FOUND', { cause });
  return {
    key: metrics.key,
    get: metrics.get,
    getMany: metrics.getMany,
    list: metrics.list,
    readAll: metrics.readAll,
    create: (metric) =>
      withReferences(
        referenceItems(table, null, metric),
        (items) => metrics.create(metric, [...sweepItems(table, null, metric), ...items]),
        gone,
      ),
    replace: (previous, next) =>
      withReferences(
        referenceItems(table, previous, next),
        (items) => metrics.replace(previous, next, 'STALE_WRITE', [...sweepItems(table, previous, next), ...items]),
        gone,
      ),
    remove: (metric, also, last) => {
      const { workspaceId, id: metricId } = metric;
      const sweep = removeSweep(table, { workspaceId, metricId });
      return metrics.remove(metric, 'STALE_WRITE', [...also, sweep, ...referenceItems(table, metric, null), ...last]);
    },
  };
}

/** Reschedules the next check when its settings change. */
function sweepItems(table: Table, previous: MetricRecord | null, next: MetricRecord): TransactItem[] {
  const place = { workspaceId: next.workspaceId, metricId: next.id };
  const wasSwept = previous !== null && isSwept(previous);
  if (!isSwept(next)) return wasSwept ? [planSweep(table, place, undefined)] : [];
  if (wasSwept && isSamePlan(previous, next)) return [];
  return [planSweep(table, place, table.now())];
}

function referenceItems(table: Table, previous: MetricRecord | null, next: MetricRecord | null): TransactItem[] {
  const { workspaceId, id } = (next ?? previous)!;
  const referrer = { workspaceId, type: 'metric', id } as const;
  const models = (metric: MetricRecord | null) => (metric ? [metric.modelId] : []);
  const measures = (metric: MetricRecord | null, modelId: string) =>
    metric?.measureId && metric.modelId === modelId ? [metric.measureId] : [];
  const modelIds = [...new Set([...models(previous), ...models(next)])];
  return [
    ...modelIds.flatMap((modelId) =>
      measureReferences(table, modelId).items(referrer, measures(previous, modelId), measures(next, modelId)),
    ),
    ...modelReferences(table).items(referrer, models(previous), models(next)),
  ];
}

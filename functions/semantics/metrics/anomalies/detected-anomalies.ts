import type { DetectedAnomaly } from '../../../../shared/domains/semantics/metric-reports/index.ts';
import { isProtected, type MetricRecord } from '../../../../shared/domains/semantics/metrics/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { MetricDeps } from '../use-cases/context.ts';
import { findMetric } from '../use-cases/find-metric.ts';
import type { DetectedAnomalies, ReviewAnomaly } from './schemas.ts';

export async function listDetectedAnomalies(
  deps: MetricDeps,
  { principal, id, limit }: { principal: Principal; id: string; limit: number },
): Promise<DetectedAnomalies> {
  const metric = await findMetric(deps, { workspaceId: principal.workspaceId, id });
  if (await isHidden(deps, metric, principal)) return { items: [], isHidden: true };
  return { items: await deps.sweeps.anomalies(metricPlaceOf(metric), limit), isHidden: false };
}

/** Throws `METRIC_ANOMALY_NOT_FOUND`. */
export async function reviewAnomaly(
  deps: MetricDeps,
  command: { principal: Principal; id: string; anomalyId: string; review: ReviewAnomaly },
): Promise<DetectedAnomaly> {
  const { principal, id, anomalyId, review } = command;
  const metric = await findMetric(deps, { workspaceId: principal.workspaceId, id });
  const place = metricPlaceOf(metric);
  const found = (await isHidden(deps, metric, principal)) ? undefined : await deps.sweeps.anomaly(place, anomalyId);
  if (!found) throw new AppError('METRIC_ANOMALY_NOT_FOUND');
  const feedback = { status: review.status, statusBy: principal.userId, statusAt: deps.now().toISOString() };
  await deps.sweeps.setStatus({ ...place, id: anomalyId }, feedback, {
    action: 'metric.anomaly_reviewed',
    object: { type: 'metric', id, name: metric.name },
    before: { date: found.date, status: found.status },
    after: { date: found.date, status: review.status },
  });
  return { ...found, ...feedback };
}

/** The checks found them while everyone could read the model; since then, policies may have been added. */
async function isHidden(deps: MetricDeps, { workspaceId, modelId }: MetricRecord, principal: Principal) {
  return isProtected(deps.rights, await deps.definitions.read({ workspaceId, modelId }), principal);
}

const metricPlaceOf = ({ workspaceId, id }: MetricRecord) => ({ workspaceId, metricId: id });

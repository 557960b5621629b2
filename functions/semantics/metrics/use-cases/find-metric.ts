import {
  DENIED_FIELD,
  isSwept,
  type MetricRecord,
  type MetricRepository,
  metricProblems,
} from '../../../../shared/domains/semantics/metrics/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { searching } from '../../../../shared/platform/storage/list-request.ts';
import type { PageOf } from '../../../../shared/platform/storage/page.ts';
import type { MetricDetails, MetricListQuery } from '../schemas.ts';
import type { MetricDeps, Named } from './context.ts';

export async function findMetric({ metrics }: { metrics: MetricRepository }, { workspaceId, id }: Named) {
  const metric = await metrics.get(workspaceId, id);
  if (!metric) throw new AppError('METRIC_NOT_FOUND');
  return metric;
}

/** Sorted and filtered by reading the records: a workspace has few metrics. */
export function listMetrics(
  { metrics }: Pick<MetricDeps, 'metrics'>,
  workspaceId: string,
  { search, modelId, isCertified, ...request }: MetricListQuery,
): Promise<PageOf<MetricRecord>> {
  const matches = searching(search, ({ name, description }: MetricRecord) => [name, description]);
  return metrics.list(workspaceId, { ...request, having: { modelId, isCertified }, matches });
}

/** The metric, and why its model cannot answer for it. */
export async function metricDetails(
  deps: MetricDeps,
  { principal, id }: { principal: Principal; id: string },
): Promise<MetricDetails> {
  const { workspaceId } = principal;
  const metric = await findMetric(deps, { workspaceId, id });
  const definition = await deps.definitions.read({ workspaceId, modelId: metric.modelId });
  const problems = await metricProblems(deps, { definition, metric, principal, timezone: metric.timezone });
  // Whether a metric is stale does not depend on who asks.
  const diagnostics = problems.filter(({ code }) => code !== DENIED_FIELD);
  return {
    ...metric,
    stale: diagnostics.length > 0,
    diagnostics: diagnostics.map(({ pointer, code, message }) => ({ pointer, code, message })),
    sweep: await sweepOf(deps, metric),
  };
}

/** The state of the scheduled checks; null unless they are turned on. */
async function sweepOf({ sweeps }: MetricDeps, metric: MetricRecord): Promise<MetricDetails['sweep']> {
  if (metric.anomalyChecks === null) return null;
  const { workspaceId, id: metricId } = metric;
  const stored = await sweeps.read({ workspaceId, metricId });
  const { checkedUntil = null, checkedAt = null, dueAt = null, error = null } = stored ?? {};
  const status = isSwept(metric) ? (stored?.status ?? 'waiting') : 'not_certified';
  return { status, checkedUntil, checkedAt, nextAt: dueAt, error };
}

import {
  DENIED_FIELD,
  type MetricRecord,
  type MetricRepository,
  metricProblems,
} from '../../../../shared/domains/semantics/metrics/index.ts';
import { matchingCertification, showCertification } from '../../../../shared/domains/tenancy/certifications/index.ts';
import type { ShownPermission } from '../../../../shared/domains/tenancy/grants/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { searching } from '../../../../shared/platform/storage/list-request.ts';
import type { PageOf } from '../../../../shared/platform/storage/page.ts';
import type { Metric, MetricDetails, MetricListQuery } from '../schemas.ts';
import type { MetricDeps, Named } from './context.ts';

export async function findMetric({ metrics }: { metrics: MetricRepository }, { workspaceId, id }: Named) {
  const metric = await metrics.get(workspaceId, id);
  if (!metric) throw new AppError('METRIC_NOT_FOUND');
  return metric;
}

/** Sorted and filtered by reading the records: a workspace has few metrics. */
export async function listMetrics(
  { metrics, certifications, permissions, now }: Pick<MetricDeps, 'metrics' | 'certifications' | 'permissions' | 'now'>,
  principal: Principal,
  { search, modelId, isCertified, ...request }: MetricListQuery,
): Promise<PageOf<Metric>> {
  const { workspaceId } = principal;
  const [certified, permissionOn] = await Promise.all([
    certifications.ofKind(workspaceId, 'metric'),
    permissions.onAll(principal),
  ]);
  const isFound = searching(search, ({ name, description }: MetricRecord) => [name, description]);
  const page = await metrics.list(workspaceId, {
    ...request,
    having: { modelId },
    matches: matchingCertification(certified, isCertified, now(), isFound),
  });
  const items = page.items.map((each) => ({
    ...each,
    ...showCertification(certified.get(each.id), now()),
    permission: permissionOn(each.id),
  }));
  return { ...page, items };
}

/** Shown to those who have changed it, unless `permission` says otherwise. */
export async function showMetric(
  { certifications, now }: Pick<MetricDeps, 'certifications' | 'now'>,
  metric: MetricRecord,
  permission: ShownPermission = 'editor',
): Promise<Metric> {
  const { workspaceId, id } = metric;
  const certification = await certifications.find({ workspaceId, type: 'metric', id }, { type: 'metric', id });
  return { ...metric, ...showCertification(certification, now()), permission };
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
  const shown = await showMetric(deps, metric, await deps.permissions.on(principal, id));
  return {
    ...shown,
    stale: diagnostics.length > 0,
    diagnostics: diagnostics.map(({ pointer, code, message }) => ({ pointer, code, message })),
    sweep: await sweepOf(deps, shown),
    whereUsed: `/api/catalog/lineage/metric/${id}?direction=down`,
  };
}

/** The state of the scheduled checks; null unless they are turned on. */
async function sweepOf({ sweeps }: MetricDeps, metric: Metric): Promise<MetricDetails['sweep']> {
  if (metric.anomalyChecks === null) return null;
  const { workspaceId, id: metricId } = metric;
  const stored = await sweeps.read({ workspaceId, metricId });
  const { checkedUntil = null, checkedAt = null, dueAt = null, error = null } = stored ?? {};
  if (!metric.isCertified) return { status: 'not_certified', checkedUntil, checkedAt, nextAt: null, error: null };
  return { status: stored?.status ?? 'waiting', checkedUntil, checkedAt, nextAt: dueAt, error };
}

import type { EndedObject } from '../../../../shared/domains/tenancy/grants/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import type { MetricDeps, Named } from './context.ts';
import { findMetric } from './find-metric.ts';

/**
 * Access that was granted to it ends with it. Throws `METRIC_NOT_FOUND`, or `REFERENCED` with what uses it, as far as
 * the caller may see that.
 */
export async function deleteMetric(
  deps: MetricDeps,
  { principal, id }: { principal: Principal; id: string },
): Promise<void> {
  const named: Named = { workspaceId: principal.workspaceId, id };
  const ended: EndedObject = {
    kind: 'object',
    workspaceId: named.workspaceId,
    objectType: 'metric',
    objectId: named.id,
  };
  await deps.deleteUnused(
    { principal, id },
    () => findMetric(deps, named),
    (metric, free) => deps.metrics.remove(metric, [deps.cleanUpItem(ended)], free),
  );
  await deps.cleanUpNow(ended);
}

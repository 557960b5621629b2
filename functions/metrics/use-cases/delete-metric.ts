import type { Ended } from '../../../shared/domains/access-clean-up/index.ts';
import { onNewest } from '../../../shared/platform/storage/on-newest.ts';
import type { MetricDeps, Named } from './context.ts';
import { findMetric } from './find-metric.ts';

/** Access that was granted to it ends with it. */
export async function deleteMetric(deps: MetricDeps, named: Named): Promise<void> {
  const ended: Ended = { kind: 'object', workspaceId: named.workspaceId, objectType: 'metric', objectId: named.id };
  await onNewest('STALE_WRITE', async () =>
    deps.metrics.remove(await findMetric(deps, named), [deps.cleanUpItem(ended)]),
  );
  await deps.cleanUpNow(ended);
}

import { objectAccess } from '../../../../shared/domains/tenancy/grants/index.ts';
import type { Access } from '../schemas.ts';
import type { MetricDeps } from '../use-cases/context.ts';
import { findMetric } from '../use-cases/find-metric.ts';

/** Access to metrics. */
export const metricAccess = (deps: MetricDeps) =>
  objectAccess<Access>(deps, async (named) => {
    const { workspaceId, id, name } = await findMetric(deps, named);
    return {
      workspaceId,
      type: 'metric',
      id,
      name,
      key: deps.metrics.key(workspaceId, id),
      notFound: 'METRIC_NOT_FOUND',
    };
  });

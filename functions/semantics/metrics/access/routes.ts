import { accessRoutes } from '../../../tenancy/access/routes.ts';
import { Access, AccessPage, AccessParams, MetricParams, SetAccess } from '../schemas.ts';

export const {
  listAccess: listMetricAccess,
  setAccess: setMetricAccess,
  revokeAccess: revokeMetricAccess,
} = accessRoutes({
  type: 'metric',
  title: 'Metric',
  noun: 'metric',
  permission: 'metrics:write',
  notFound: 'METRIC_NOT_FOUND',
  editors: 'An `editor` of the metric may change it even with the role `viewer`.',
  params: MetricParams,
  schemas: { Access, AccessPage, AccessParams, SetAccess },
});

import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { MonthQuery, MonthUsage, UsageBreakdown } from '../schemas.ts';

const product = 'pipelines';

export const getPipelineUsage = defineRoute({
  operationId: 'getPipelineUsage',
  method: 'GET',
  path: '/api/pipelines/usage',
  summary: 'Get pipeline usage',
  description: 'What the runs of the current month have used.',
  permission: 'usage:read',
  product,
  success: { status: 200, body: MonthUsage },
});

export const getPipelineUsageBreakdown = defineRoute({
  operationId: 'getPipelineUsageBreakdown',
  method: 'GET',
  path: '/api/pipelines/usage/breakdown',
  summary: 'Get pipeline usage by pipeline and sink',
  description: 'The sums agree with the product usage. Deleted pipelines stay in the months in which they ran.',
  permission: 'usage:read',
  product,
  query: MonthQuery,
  success: { status: 200, body: UsageBreakdown },
});

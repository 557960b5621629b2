import { defineRoute } from '../../../shared/platform/http/route.ts';
import { Impact, ImpactQuery, LineageParams, LineageQuery, ObjectLineage } from './schemas.ts';

export const getLineage = defineRoute({
  operationId: 'getLineage',
  method: 'GET',
  path: '/api/catalog/lineage/{type}/{id}',
  summary: 'Get the lineage of an object',
  description:
    'From data sources through pipelines, datasets, models and metrics to dashboards, reports, stories, alerts and share links, or that of a single column. Objects that the caller may not see are left out. Editors and admins get one edge, `via: hidden`, where rows flow through such objects; for others, everything that is reached only through them is left out too.',
  permission: 'catalog:read',
  params: LineageParams,
  query: LineageQuery,
  success: { status: 200, body: ObjectLineage },
  errors: ['LINEAGE_OBJECT_NOT_FOUND', 'LINEAGE_COLUMN_NOT_FOUND', 'SERVICE_BUSY'],
});

export const getImpact = defineRoute({
  operationId: 'getImpact',
  method: 'GET',
  path: '/api/catalog/impact/{type}/{id}',
  summary: 'Get what a removal would break',
  description:
    'What would happen to other objects if the object, or one of its columns, were removed. Each is checked as its own operations check it, such as a chart before it is saved. Nothing is changed, and objects that the caller may not see are left out.',
  permission: 'catalog:read',
  params: LineageParams,
  query: ImpactQuery,
  success: { status: 200, body: Impact },
  errors: ['LINEAGE_OBJECT_NOT_FOUND', 'LINEAGE_COLUMN_NOT_FOUND', 'SERVICE_BUSY'],
});

import { defineRoute } from '../../shared/platform/http/route.ts';
import { IdParams } from '../../shared/platform/http/schemas.ts';
import { Lineage } from './lineage-schemas.ts';

export const getPipelineLineage = defineRoute({
  operationId: 'getPipelineLineage',
  method: 'GET',
  path: '/api/pipelines/{id}/lineage',
  summary: 'Show the origin of each column',
  description:
    'Column lineage in the terms of OpenLineage, derived from the definition, next to what the last run showed. Unknown origins are left out, never guessed, and make `completeness` partial or opaque.',
  permission: 'pipelines:read',
  product: 'pipelines',
  params: IdParams,
  success: { status: 200, body: Lineage },
  errors: ['PIPELINE_NOT_FOUND', 'SERVICE_BUSY'],
});

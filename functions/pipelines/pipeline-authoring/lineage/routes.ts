import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { idParams } from '../../../../shared/platform/http/schemas.ts';
import { Lineage } from './schemas.ts';

export const getPipelineLineage = defineRoute({
  operationId: 'getPipelineLineage',
  method: 'GET',
  path: '/api/pipelines/{id}/lineage',
  summary: "Get a pipeline's lineage",
  description:
    'Which columns each column comes from, in the terms of OpenLineage: by the definition, and as the last run has shown. What is unknown is left out, and `completeness` is `partial` or `opaque`.',
  permission: 'pipelines:read',
  product: 'pipelines',
  params: idParams('pipeline'),
  success: { status: 200, body: Lineage },
  errors: ['PIPELINE_NOT_FOUND', 'SERVICE_BUSY'],
});

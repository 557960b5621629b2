import { defineRoute } from '../../shared/platform/http/route.ts';
import { IdParams } from '../../shared/platform/http/schemas.ts';
import { Lineage } from './lineage-schemas.ts';

export const getPipelineLineage = defineRoute({
  operationId: 'getPipelineLineage',
  method: 'GET',
  path: '/api/pipelines/{id}/lineage',
  summary: 'Which columns each column comes from',
  description:
    'In the terms of OpenLineage: from the definition, and beside it what the last run has shown. What cannot be told is left out and makes `completeness` partial or opaque; nothing is guessed.',
  permission: 'pipelines:read',
  product: 'pipelines',
  params: IdParams,
  success: { status: 200, body: Lineage },
  errors: ['PIPELINE_NOT_FOUND', 'SERVICE_BUSY'],
});

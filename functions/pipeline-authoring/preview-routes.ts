import { defineRoute } from '../../shared/platform/http/route.ts';
import { IdParams } from '../../shared/platform/http/schemas.ts';
import { TransformPreview, TransformToPreview } from './preview-schemas.ts';

export const previewTransform = defineRoute({
  operationId: 'previewTransform',
  method: 'POST',
  path: '/api/pipelines/{id}/transform-preview',
  summary: 'Preview a step on the rows of the last run',
  description:
    'Previews a step of the saved or the given definition. The step reads the outputs of earlier steps from the newest run that has all of them; sources are not read and nothing is loaded. A route shows the port of each row, a load the rows that it would take, and code the result of its first batch.',
  permission: 'pipelines:write',
  product: 'pipelines',
  params: IdParams,
  body: TransformToPreview,
  success: { status: 200, body: TransformPreview },
  errors: [
    'PIPELINE_NOT_FOUND',
    'PIPELINE_DAG_INVALID',
    'STEP_WITHOUT_PREVIEW',
    'NO_RUN_DATA',
    'PREVIEW_FAILED',
    'SERVICE_BUSY',
  ],
});

import { defineRoute } from '../../shared/platform/http/route.ts';
import { IdParams } from '../../shared/platform/http/schemas.ts';
import { TransformPreview, TransformToPreview } from './preview-schemas.ts';

export const previewTransform = defineRoute({
  operationId: 'previewTransform',
  method: 'POST',
  path: '/api/pipelines/{id}/transform-preview',
  summary: 'Show what a transform step would make of the rows of the last run',
  description:
    'Of the saved definition or of the given one. The step reads what the steps before it have left in the newest run that has it all: sources are not read and nothing is loaded. A route shows its rows behind the port that each goes to, a load those that it would take, and code what it makes of its first batch.',
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

import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { idParams } from '../../../../shared/platform/http/schemas.ts';
import { PreviewTransform, TransformPreview } from './schemas.ts';

export const previewTransform = defineRoute({
  operationId: 'previewTransform',
  method: 'POST',
  path: '/api/pipelines/{id}/transform-preview',
  summary: 'Preview a step',
  description:
    'Runs a step of the given or the stored definition on what the steps before it have left in the latest run that has it all. Sources are not read and nothing is loaded. A route shows its rows by port, a load the rows that it would load, and code the result of its first batch.',
  permission: 'pipelines:write',
  product: 'pipelines',
  params: idParams('pipeline'),
  body: PreviewTransform,
  success: { status: 200, body: TransformPreview },
  errors: [
    'PIPELINE_NOT_FOUND',
    'PIPELINE_DAG_INVALID',
    'STEP_WITHOUT_PREVIEW',
    'NO_RUN_DATA',
    'RLS_RAW_SQL',
    'PREVIEW_FAILED',
    'SERVICE_BUSY',
  ],
});

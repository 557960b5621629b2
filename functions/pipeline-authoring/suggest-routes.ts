import { defineRoute } from '../../shared/platform/http/route.ts';
import { IdParams } from '../../shared/platform/http/schemas.ts';
import { OpsSuggestion, OpsWish } from './suggest-schemas.ts';

export const suggestOps = defineRoute({
  operationId: 'suggestOps',
  method: 'POST',
  path: '/api/pipelines/{id}/suggest-ops',
  summary: 'Turn a wish in plain language into operations of a recipe',
  description:
    'The operations have passed the validation of pipelines, were compiled, and were tried on rows of the last run where there are any. Issues go back to the model twice; after that they are the answer. The model is told the description, and names and types of columns, but no rows.',
  permission: 'pipelines:write',
  product: 'pipelines',
  params: IdParams,
  body: OpsWish,
  success: { status: 200, body: OpsSuggestion },
  errors: [
    'PIPELINE_NOT_FOUND',
    'SUGGESTION_INPUTS_INVALID',
    'NO_RUN_DATA',
    'OPS_NOT_SUGGESTED',
    'AI_NOT_CONFIGURED',
    'AI_UNAVAILABLE',
  ],
});

import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { idParams } from '../../../../shared/platform/http/schemas.ts';
import { OpsSuggestion, SuggestOps } from './schemas.ts';

export const suggestOps = defineRoute({
  operationId: 'suggestOps',
  method: 'POST',
  path: '/api/pipelines/{id}/suggest-ops',
  summary: 'Suggest operations',
  description:
    'Turns a description in plain language into recipe operations. They are validated, compiled and tried on rows of the last run, if there are any; the model gets two attempts to fix issues. It sees the description and the names and types of columns, but no rows.',
  permission: 'pipelines:write',
  product: 'pipelines',
  params: idParams('pipeline'),
  body: SuggestOps,
  success: { status: 200, body: OpsSuggestion },
  errors: [
    'PIPELINE_NOT_FOUND',
    'SUGGESTION_INPUTS_INVALID',
    'NO_RUN_DATA',
    'RLS_RAW_SQL',
    'OPS_NOT_SUGGESTED',
    'AI_NOT_CONFIGURED',
    'AI_UNAVAILABLE',
  ],
});

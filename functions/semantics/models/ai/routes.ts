import { grantOn } from '../../../../shared/domains/tenancy/grants/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { ModelIdParams, ModelParams } from '../schemas.ts';
import { MeasureCopilot, MeasureDraft, RelationshipSuggestions } from './schemas.ts';

export const suggestMeasure = defineRoute({
  operationId: 'suggestMeasure',
  method: 'POST',
  path: '/api/models/{modelId}/measures/copilot',
  summary: 'Suggest the expression of a measure',
  description:
    'Turns a description in plain language into an expression. Diagnostics go back to the language model at most twice. The language model sees names and types of the model, but no rows.',
  permission: 'models:write',
  grant: grantOn('model', 'editor', 'modelId'),
  params: ModelParams,
  body: MeasureCopilot,
  success: { status: 200, body: MeasureDraft },
  errors: ['MODEL_NOT_FOUND', 'MODEL_MEASURE_NOT_FOUND', 'AI_NOT_CONFIGURED', 'AI_UNAVAILABLE'],
});

export const suggestRelationships = defineRoute({
  operationId: 'suggestRelationships',
  method: 'POST',
  path: '/api/models/{id}/suggest-relationships',
  summary: 'Suggest relationships',
  description:
    'Based on names and types of fields. The language model sees no rows. Nothing is saved: create the relationships that are right.',
  permission: 'models:write',
  grant: grantOn('model', 'editor'),
  params: ModelIdParams,
  success: { status: 200, body: RelationshipSuggestions },
  errors: ['MODEL_NOT_FOUND', 'AI_NOT_CONFIGURED', 'AI_UNAVAILABLE'],
});

import { grantOn } from '../../../../shared/domains/tenancy/grants/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import {
  CreateMeasure,
  ExpressionValidation,
  Measure,
  MeasurePage,
  MeasureParams,
  MeasurePreview,
  MeasureValidation,
  PreviewMeasure,
  UpdateMeasure,
  ValidateExpression,
  ValidateMeasure,
} from '../expression-schemas.ts';
import { ModelParams, NamedPartsQuery } from '../schemas.ts';

const read = { permission: 'models:read' } as const;
const write = { permission: 'models:write', grant: grantOn('model', 'editor', 'modelId') } as const;

export const listMeasures = defineRoute({
  operationId: 'listMeasures',
  method: 'GET',
  path: '/api/models/{modelId}/measures',
  summary: 'List measures',
  description: 'Sorted by name, including hidden ones.',
  ...read,
  params: ModelParams,
  query: NamedPartsQuery,
  success: { status: 200, body: MeasurePage },
  errors: ['MODEL_NOT_FOUND'],
});

export const createMeasure = defineRoute({
  operationId: 'createMeasure',
  method: 'POST',
  path: '/api/models/{modelId}/measures',
  summary: 'Create a measure',
  description: 'An expression with errors is rejected with its diagnostics, each with its position.',
  ...write,
  params: ModelParams,
  body: CreateMeasure,
  success: { status: 201, body: Measure, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'MODEL_MEASURE_NAME_TAKEN', 'MODEL_TOO_LARGE'],
  idempotent: true,
  audit: 'model.updated',
});

export const getMeasure = defineRoute({
  operationId: 'getMeasure',
  method: 'GET',
  path: '/api/models/{modelId}/measures/{mid}',
  summary: 'Get a measure',
  ...read,
  params: MeasureParams,
  success: { status: 200, body: Measure, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'MODEL_MEASURE_NOT_FOUND'],
});

export const updateMeasure = defineRoute({
  operationId: 'updateMeasure',
  method: 'PUT',
  path: '/api/models/{modelId}/measures/{mid}',
  summary: 'Update a measure',
  description:
    'Expressions that use the measure follow a new name. Those that do not fit its new expression become stale, which `stale` and `diagnostics` report wherever they are read.',
  ...write,
  params: MeasureParams,
  body: UpdateMeasure,
  success: { status: 200, body: Measure, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'MODEL_MEASURE_NOT_FOUND', 'MODEL_MEASURE_NAME_TAKEN'],
  audit: 'model.updated',
});

export const deleteMeasure = defineRoute({
  operationId: 'deleteMeasure',
  method: 'DELETE',
  path: '/api/models/{modelId}/measures/{mid}',
  summary: 'Delete a measure',
  description:
    'The name of the measure can be used again. Rejected while other measures or metrics use it, or if cards, alerts or other objects would break.',
  ...write,
  params: MeasureParams,
  success: { status: 204, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'MODEL_MEASURE_NOT_FOUND', 'REFERENCED'],
  audit: 'model.updated',
});

export const validateMeasure = defineRoute({
  operationId: 'validateMeasure',
  method: 'POST',
  path: '/api/models/{modelId}/measures/validate',
  summary: 'Validate a measure',
  description: 'Replies with status 200 even if the expression has errors; see `diagnostics`.',
  ...read,
  params: ModelParams,
  body: ValidateMeasure,
  success: { status: 200, body: MeasureValidation },
  errors: ['MODEL_NOT_FOUND', 'MODEL_MEASURE_NOT_FOUND'],
});

export const validateExpression = defineRoute({
  operationId: 'validateExpression',
  method: 'POST',
  path: '/api/models/{modelId}/validate-expression',
  summary: 'Validate an expression',
  description:
    'For expressions of single rows. Replies with status 200 even if the expression has errors; see `diagnostics`.',
  ...read,
  params: ModelParams,
  body: ValidateExpression,
  success: { status: 200, body: ExpressionValidation },
  errors: ['MODEL_NOT_FOUND', 'MODEL_TABLE_NOT_FOUND'],
});

export const previewMeasure = defineRoute({
  operationId: 'previewMeasure',
  method: 'POST',
  path: '/api/models/{modelId}/measures/{mid}/preview',
  summary: 'Preview the SQL of a measure',
  ...read,
  params: MeasureParams,
  body: PreviewMeasure,
  optionalBody: true,
  success: { status: 200, body: MeasurePreview },
  errors: ['MODEL_NOT_FOUND', 'MODEL_MEASURE_NOT_FOUND'],
});

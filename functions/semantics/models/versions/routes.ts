import { grantOn } from '../../../../shared/domains/tenancy/grants/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { ForceQuery } from '../../../../shared/platform/http/schemas.ts';
import { ModelDetails, ModelIdParams } from '../schemas.ts';
import { ModelVersion, ModelVersionPage, PublishModel, VersionParams, VersionsQuery } from './schemas.ts';

const write = { permission: 'models:write', grant: grantOn('model', 'editor') } as const;

export const publishModel = defineRoute({
  operationId: 'publishModel',
  method: 'POST',
  path: '/api/models/{id}/publish',
  summary: 'Publish a model',
  description:
    'Stores the current state as a version. Fails if the model has stale expressions, missing tables or columns, transform steps that do not fit, or tables whose data-quality score is too low (GET /api/data-quality/publish-gate).',
  ...write,
  params: ModelIdParams,
  body: PublishModel,
  optionalBody: true,
  success: { status: 200, body: ModelVersion },
  errors: ['MODEL_NOT_FOUND', 'PUBLISH_GATE'],
  idempotent: true,
  audit: 'model.published',
});

export const listModelVersions = defineRoute({
  operationId: 'listModelVersions',
  method: 'GET',
  path: '/api/models/{id}/versions',
  summary: 'List the versions of a model',
  description: 'Newest first.',
  permission: 'models:read',
  params: ModelIdParams,
  query: VersionsQuery,
  success: { status: 200, body: ModelVersionPage },
  errors: ['MODEL_NOT_FOUND'],
});

export const restoreModelVersion = defineRoute({
  operationId: 'restoreModelVersion',
  method: 'POST',
  path: '/api/models/{id}/versions/{version}/restore',
  summary: 'Restore a version of a model',
  description:
    'Brings all tables, fields, relationships, hierarchies, measures, rollups, transform steps and policies back to the version; readers see all of it immediately. Name, description and certification stay. Rejected if that breaks metrics, cards, alerts or other objects, unless `force` is set. Only admins may restore a version with other row-level security.',
  ...write,
  params: VersionParams,
  query: ForceQuery,
  success: { status: 200, body: ModelDetails, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'MODEL_VERSION_NOT_FOUND', 'REFERENCED'],
  audit: 'model.restored',
});

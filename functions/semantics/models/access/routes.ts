import { accessRoutes } from '../../../tenancy/access/routes.ts';
import { Access, AccessPage, AccessParams, ModelIdParams, SetAccess } from '../schemas.ts';

export const {
  listAccess: listModelAccess,
  setAccess: setModelAccess,
  revokeAccess: revokeModelAccess,
} = accessRoutes({
  type: 'model',
  title: 'Model',
  noun: 'model',
  permission: 'models:write',
  notFound: 'MODEL_NOT_FOUND',
  editors: 'An `editor` of the model may change it, except for its row-level security, even with the role `viewer`.',
  params: ModelIdParams,
  schemas: { Access, AccessPage, AccessParams, SetAccess },
});

import { accessRoutes } from '../../../tenancy/access/routes.ts';
import { Access, AccessPage, AccessParams, BlendParams, SetAccess } from '../schemas.ts';

export const {
  listAccess: listBlendAccess,
  setAccess: setBlendAccess,
  revokeAccess: revokeBlendAccess,
} = accessRoutes({
  type: 'blend',
  title: 'Blend',
  noun: 'blend',
  permission: 'blends:write',
  notFound: 'BLEND_NOT_FOUND',
  editors: 'An `editor` of the blend may replace it even with the role `viewer`.',
  params: BlendParams,
  schemas: { Access, AccessPage, AccessParams, SetAccess },
});

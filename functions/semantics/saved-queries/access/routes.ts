import { accessRoutes } from '../../../tenancy/access/routes.ts';
import { Access, AccessPage, AccessParams, SavedQueryParams, SetAccess } from '../schemas.ts';

export const {
  listAccess: listSavedQueryAccess,
  setAccess: setSavedQueryAccess,
  revokeAccess: revokeSavedQueryAccess,
} = accessRoutes({
  type: 'saved-query',
  title: 'SavedQuery',
  noun: 'saved query',
  permission: 'saved-queries:write',
  product: 'warehouse',
  notFound: 'SAVED_QUERY_NOT_FOUND',
  editors: 'An `editor` may change the query and restore its versions, also with the role `viewer`.',
  params: SavedQueryParams,
  schemas: { Access, AccessPage, AccessParams, SetAccess },
});

import { blendFunction, blendRepository, executeBlend } from '../../../shared/domains/semantics/blends/index.ts';
import { modelRepository, sourceTables } from '../../../shared/domains/semantics/models/index.ts';
import { openQueries } from '../../../shared/domains/semantics/queries/index.ts';
import { grantCheck, grantCleanUps, objectGrants } from '../../../shared/domains/tenancy/grants/index.ts';
import { deleteUnused, usersOf } from '../../../shared/domains/upkeep/referrers/index.ts';
import { bind } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { JsonText } from '../../../shared/platform/http/json-text.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';
import { cleanUpItem, cleanUpNow, type Ended } from '../../../shared/platform/storage/clean-ups.ts';
import { showingDefinitions } from '../../catalog/common/showing-definitions.ts';
import * as accessRoutes from './access/routes.ts';
import { blendAccess } from './access/use-cases.ts';
import * as routes from './routes.ts';
import type { BlendGroupDeps } from './use-cases/context.ts';
import { deleteBlend } from './use-cases/delete-blend.ts';
import { blendDetails, findBlend, listBlends } from './use-cases/find-blend.ts';
import { createBlend, replaceBlend } from './use-cases/save-blend.ts';

const group = openGroup('blends');
const { table, now, log } = group;
const queries = openQueries(group);
const deps: BlendGroupDeps = {
  ...queries,
  definitions: queries.rights.definitions,
  readTables: sourceTables(table, objectStore(environment('DATA_BUCKET'))),
  runBlend: blendFunction(environment('BLEND_FUNCTION')),
  blends: blendRepository(table),
  models: modelRepository(table),
  grants: objectGrants(table),
  cursors: group.cursors,
  deleteUnused: deleteUnused(table, 'blend'),
  usedBy: usersOf(table, 'blend'),
  cleanUpItem: (ended: Ended) => cleanUpItem(table, ended, now()),
  cleanUpNow: (ended: Ended) =>
    cleanUpNow(table, [...grantCleanUps], ended, (error) =>
      log.warn('access to a blend is still to be removed', error),
    ),
};
const access = blendAccess(deps);

export const handler = endpointGroup(
  [
    bind(routes.listBlends, ({ principal: { workspaceId }, query }) => listBlends(deps, workspaceId, query)),
    bind(routes.createBlend, ({ principal, body, newId }) => createBlend(deps, { id: newId, principal, blend: body })),
    bind(routes.getBlend, ({ principal, params: { id } }) => blendDetails(deps, { principal, id })),
    bind(routes.replaceBlend, ({ principal, params: { id }, body }) =>
      replaceBlend(deps, { id, principal, blend: body }),
    ),
    bind(routes.deleteBlend, ({ principal, params: { id } }) => deleteBlend(deps, { principal, id })),
    bind(routes.executeBlend, async ({ principal, params: { id }, body, newId: queryId }) => {
      const blend = await findBlend(deps, { workspaceId: principal.workspaceId, id });
      const { rowsJson, ...result } = await executeBlend(deps, { ...body, principal, blend });
      return JsonText.of({ queryId, ...result }, { rows: rowsJson });
    }),
    bind(accessRoutes.listBlendAccess, ({ principal: { workspaceId }, params: { id }, query }) =>
      access.list({ workspaceId, id, ...query }),
    ),
    bind(accessRoutes.setBlendAccess, ({ principal: { workspaceId, userId: by }, params, body: { level } }) =>
      access.grant({ workspaceId, ...params, level, by }),
    ),
    bind(accessRoutes.revokeBlendAccess, ({ principal: { workspaceId, userId: by }, params }) =>
      access.revoke({ workspaceId, ...params, by }),
    ),
  ],
  { ...showingDefinitions(group, 'blend'), isGranted: grantCheck(table) },
);

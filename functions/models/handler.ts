import { cleanUpItem, cleanUpNow, type Ended } from '../../shared/domains/access-clean-up/index.ts';
import { grantCheck, objectGrants } from '../../shared/domains/grants/index.ts';
import { modelDefinitions, modelRepository, sourceTables } from '../../shared/domains/models/index.ts';
import { dataSourceRepository } from '../../shared/domains/sources/index.ts';
import { readMembers } from '../../shared/domains/workspaces/index.ts';
import type { Principal } from '../../shared/platform/auth/principal.ts';
import { bind } from '../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../shared/platform/http/open-group.ts';
import { objectStore } from '../../shared/platform/objects/object-store.ts';
import * as accessRoutes from './access-routes.ts';
import * as routes from './routes.ts';
import * as tableRoutes from './table-routes.ts';
import { grantAccess, listModelAccess, revokeAccess } from './use-cases/access.ts';
import type { ModelDeps } from './use-cases/context.ts';
import { createModel, deleteModel, listModels, modelDetails, updateModel } from './use-cases/models.ts';
import {
  changeField,
  changeTable,
  createField,
  createTable,
  deleteField,
  deleteTable,
  findTable,
  listFields,
  listTableFields,
  listTables,
} from './use-cases/tables.ts';
import { shownModel } from './views.ts';

const group = openGroup('models');
const { table, now, log } = group;
const deps: ModelDeps = {
  table,
  models: modelRepository(table),
  definitions: modelDefinitions(table, ({ workspaceId, modelId, generation }, at) =>
    cleanUpItem(table, { kind: 'model', workspaceId, modelId, generation }, at),
  ),
  sources: dataSourceRepository(table),
  sourceTables: sourceTables(table, objectStore(environment('DATA_BUCKET'))),
  grants: objectGrants(table),
  cursors: group.cursors,
  cleanUpItem: (ended: Ended) => cleanUpItem(table, ended, now()),
  cleanUpNow: (ended: Ended) =>
    cleanUpNow(table, ended, (error) => log.warn('what a model left behind is still to be removed', error)),
  now,
};

/** The caller and the parts of the path, as use cases take them. */
const within = <P extends object>({ principal, params }: { principal: Principal; params: P }) => ({
  workspaceId: principal.workspaceId,
  userId: principal.userId,
  ...params,
});

const nameOf = async ({ workspaceId, userId }: Principal): Promise<string> =>
  (await readMembers(table, workspaceId, [userId])).get(userId)?.name ?? userId;

export const handler = endpointGroup(
  [
    bind(routes.listModels, async ({ principal: { workspaceId }, query }) => {
      const page = await listModels(deps, workspaceId, query);
      return { ...page, items: page.items.map(shownModel) };
    }),
    bind(routes.createModel, async ({ principal: { workspaceId, userId }, body, newId }) =>
      shownModel(await createModel(deps, { id: newId, workspaceId, userId, model: body })),
    ),
    bind(routes.getModel, ({ principal: { workspaceId }, params: { id } }) => modelDetails(deps, { workspaceId, id })),
    bind(routes.updateModel, async ({ principal, params: { id }, body }) => {
      const { workspaceId, userId } = principal;
      const userName = await nameOf(principal);
      return shownModel(await updateModel(deps, { workspaceId, id, userId, userName, change: body }));
    }),
    bind(routes.deleteModel, ({ principal: { workspaceId }, params: { id } }) => deleteModel(deps, { workspaceId, id })),

    bind(tableRoutes.listModelTables, (call) => listTables(deps, { ...within(call), ...call.query })),
    bind(tableRoutes.addModelTable, (call) =>
      createTable(deps, { ...within(call), id: call.newId, table: call.body }),
    ),
    bind(tableRoutes.getModelTable, (call) => findTable(deps, within(call))),
    bind(tableRoutes.updateModelTable, (call) => changeTable(deps, { ...within(call), change: call.body })),
    bind(tableRoutes.removeModelTable, (call) => deleteTable(deps, within(call))),
    bind(tableRoutes.listModelFields, (call) => listFields(deps, { ...within(call), ...call.query })),
    bind(tableRoutes.listTableFields, (call) => listTableFields(deps, { ...within(call), ...call.query })),
    bind(tableRoutes.createModelField, (call) =>
      createField(deps, { ...within(call), id: call.newId, field: call.body }),
    ),
    bind(tableRoutes.updateModelField, (call) => changeField(deps, { ...within(call), change: call.body })),
    bind(tableRoutes.deleteModelField, (call) => deleteField(deps, within(call))),

    bind(accessRoutes.listModelAccess, ({ principal: { workspaceId }, params: { id }, query }) =>
      listModelAccess(deps, { workspaceId, id, ...query }),
    ),
    bind(accessRoutes.setModelAccess, ({ principal: { workspaceId, userId: by }, params, body: { level } }) =>
      grantAccess(deps, { workspaceId, ...params, level, by }),
    ),
    bind(accessRoutes.revokeModelAccess, ({ principal: { workspaceId, userId: by }, params }) =>
      revokeAccess(deps, { workspaceId, ...params, by }),
    ),
  ],
  { ...group, isGranted: grantCheck(table) },
);

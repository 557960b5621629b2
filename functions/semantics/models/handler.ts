import { findBroken, findUsedParts, impactDeps } from '../../../shared/domains/catalog/lineage/index.ts';
import { engineFunction } from '../../../shared/domains/engine/index.ts';
import type { CopiesDeps } from '../../../shared/domains/pipelines/copies/index.ts';
import {
  type EndedModel,
  modelCleanUps,
  modelDefinitions,
  modelRepository,
  modelVersions,
  sourceTables,
} from '../../../shared/domains/semantics/models/index.ts';
import { rightsDeps } from '../../../shared/domains/semantics/row-rights/index.ts';
import { certifications } from '../../../shared/domains/tenancy/certifications/index.ts';
import {
  grantCheck,
  grantCleanUps,
  objectGrants,
  objectPermissions,
} from '../../../shared/domains/tenancy/grants/index.ts';
import { readMembers } from '../../../shared/domains/tenancy/workspaces/index.ts';
import { deleteUnused } from '../../../shared/domains/upkeep/referrers/index.ts';
import { dataSourceRepository } from '../../../shared/domains/warehouse/sources/index.ts';
import { type AiFunction, aiFunction } from '../../../shared/platform/ai/function/client.ts';
import { isPermitted } from '../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../shared/platform/auth/principal.ts';
import { bind } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';
import { cleanUpItem, cleanUpNow, type Ended } from '../../../shared/platform/storage/clean-ups.ts';
import { showingDefinitions } from '../../catalog/common/showing-definitions.ts';
import * as accessRoutes from './access/routes.ts';
import { modelAccess } from './access/use-cases.ts';
import { suggestMeasure, suggestRelationships } from './ai/ask-ai.ts';
import * as aiRoutes from './ai/routes.ts';
import * as copyRoutes from './copies/routes.ts';
import { decideCopy, listProtectedCopies, policyDetails } from './copies/use-cases.ts';
import * as fileRoutes from './files/routes.ts';
import { exportModel, importModel } from './files/use-cases.ts';
import { validateModel } from './files/validate-model.ts';
import { importFromSource, resyncWithSource } from './imports/import.ts';
import * as importRoutes from './imports/routes.ts';
import * as measureRoutes from './measures/routes.ts';
import {
  changeMeasure,
  createMeasure,
  deleteMeasure,
  findMeasure,
  listMeasures,
  previewMeasure,
  validateExpression,
  validateMeasure,
} from './measures/use-cases.ts';
import * as rollupRoutes from './rollups/routes.ts';
import { changeRollup, createRollup, deleteRollup, listRollups } from './rollups/use-cases.ts';
import * as routes from './routes.ts';
import * as structureRoutes from './structure/routes.ts';
import {
  changeHierarchy,
  changePolicy,
  changeRelationship,
  createHierarchy,
  createPolicy,
  createRelationship,
  deleteHierarchy,
  deletePolicy,
  deleteRelationship,
  listHierarchies,
  listPolicies,
  listRelationships,
} from './structure/use-cases.ts';
import * as tableRoutes from './tables/routes.ts';
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
} from './tables/use-cases.ts';
import * as transformRoutes from './transforms/routes.ts';
import {
  changeTransform,
  createTransform,
  deleteTransform,
  listTransforms,
  orderTransforms,
} from './transforms/use-cases.ts';
import type { ModelDeps } from './use-cases/context.ts';
import { createModel, deleteModel, listModels, modelDetails, showModel, updateModel } from './use-cases/models.ts';
import * as versionRoutes from './versions/routes.ts';
import { listVersions, publishModel, restoreVersion } from './versions/use-cases.ts';

const group = openGroup('models');
const { table, now, log } = group;
const objects = objectStore(environment('DATA_BUCKET'));
const lineage = impactDeps({ ...group, objects, engine: engineFunction(environment('ENGINE_FUNCTION')) });
const broken = findBroken(lineage);
const deps: ModelDeps & { ai: AiFunction } = {
  table,
  ai: aiFunction(environment('AI_FUNCTION')),
  models: modelRepository(table),
  certifications: certifications(table),
  members: (workspaceId, userIds) => readMembers(table, workspaceId, userIds),
  definitions: modelDefinitions(table, ({ workspaceId, modelId, generation }, at) =>
    cleanUpItem<EndedModel>(table, { kind: 'model', workspaceId, modelId, generation }, at),
  ),
  versions: modelVersions(table),
  sources: dataSourceRepository(table),
  sourceTables: sourceTables(table, objects),
  grants: objectGrants(table),
  permissions: objectPermissions(table, 'model', 'models:write'),
  cursors: group.cursors,
  deleteUnused: deleteUnused(table, 'model', undefined, broken),
  findBroken: broken,
  findUsedParts: findUsedParts(lineage),
  cleanUpItem: (ended: Ended) => cleanUpItem(table, ended, now()),
  cleanUpNow: (ended: Ended) =>
    cleanUpNow(table, [...grantCleanUps, ...modelCleanUps], ended, (error) =>
      log.warn('what a model left behind is still to be removed', error),
    ),
  now,
};

const copies: CopiesDeps = { ...rightsDeps(table, now), readTables: deps.sourceTables, objects };

const mayUnprotect = (principal: Principal) => isPermitted('model-policies:manage', principal);

/** The caller and the parts of the path, as use cases take them. */
const within = <P extends object>({ principal, params }: { principal: Principal; params: P }) => ({
  workspaceId: principal.workspaceId,
  userId: principal.userId,
  mayUnprotect: mayUnprotect(principal),
  ...params,
});

/** The same for edits that may take away what other objects need. */
const removing = <P extends object>(call: { principal: Principal; params: P; query: { force: boolean } }) => ({
  ...within(call),
  ...call.query,
  principal: call.principal,
});

const access = modelAccess(deps);

export const handler = endpointGroup(
  [
    bind(routes.listModels, ({ principal, query }) => listModels(deps, principal, query)),
    bind(routes.createModel, async ({ principal: { workspaceId, userId }, body, newId }) =>
      showModel(deps, await createModel(deps, { id: newId, workspaceId, userId, model: body })),
    ),
    bind(routes.getModel, ({ principal, params: { id } }) => modelDetails(deps, { principal, id })),
    bind(routes.updateModel, ({ principal, params: { id }, body: change }) =>
      updateModel(deps, { id, principal, change }),
    ),
    bind(routes.deleteModel, ({ principal, params: { id } }) =>
      deleteModel(deps, { principal, id, mayUnprotect: mayUnprotect(principal) }),
    ),

    bind(tableRoutes.listModelTables, (call) => listTables(deps, { ...within(call), ...call.query })),
    bind(tableRoutes.addModelTable, (call) => createTable(deps, { ...within(call), id: call.newId, table: call.body })),
    bind(tableRoutes.getModelTable, (call) => findTable(deps, within(call))),
    bind(tableRoutes.updateModelTable, (call) => changeTable(deps, { ...removing(call), change: call.body })),
    bind(tableRoutes.removeModelTable, (call) => deleteTable(deps, removing(call))),
    bind(tableRoutes.listModelFields, (call) => listFields(deps, { ...within(call), ...call.query })),
    bind(tableRoutes.listTableFields, (call) => listTableFields(deps, { ...within(call), ...call.query })),
    bind(tableRoutes.createModelField, (call) =>
      createField(deps, { ...within(call), id: call.newId, field: call.body }),
    ),
    bind(tableRoutes.updateModelField, (call) => changeField(deps, { ...within(call), change: call.body })),
    bind(tableRoutes.deleteModelField, (call) => deleteField(deps, removing(call))),

    bind(structureRoutes.listRelationships, (call) => listRelationships(deps, { ...within(call), ...call.query })),
    bind(structureRoutes.createRelationship, (call) =>
      createRelationship(deps, { ...within(call), id: call.newId, input: call.body }),
    ),
    bind(structureRoutes.updateRelationship, (call) =>
      changeRelationship(deps, { ...within(call), change: call.body }),
    ),
    bind(structureRoutes.deleteRelationship, (call) => deleteRelationship(deps, removing(call))),
    bind(structureRoutes.listHierarchies, (call) => listHierarchies(deps, { ...within(call), ...call.query })),
    bind(structureRoutes.createHierarchy, (call) =>
      createHierarchy(deps, { ...within(call), id: call.newId, input: call.body }),
    ),
    bind(structureRoutes.updateHierarchy, (call) => changeHierarchy(deps, { ...within(call), change: call.body })),
    bind(structureRoutes.deleteHierarchy, (call) => deleteHierarchy(deps, within(call))),
    bind(rollupRoutes.listRollups, (call) => listRollups(deps, { ...within(call), ...call.query })),
    bind(rollupRoutes.createRollup, (call) =>
      createRollup(deps, { ...within(call), id: call.newId, input: call.body }),
    ),
    bind(rollupRoutes.updateRollup, (call) => changeRollup(deps, { ...within(call), change: call.body })),
    bind(rollupRoutes.deleteRollup, (call) => deleteRollup(deps, within(call))),
    bind(structureRoutes.listRlsPolicies, (call) => listPolicies(deps, { ...within(call), ...call.query })),
    bind(structureRoutes.createRlsPolicy, (call) =>
      createPolicy(deps, { ...within(call), id: call.newId, input: call.body }),
    ),
    bind(structureRoutes.updateRlsPolicy, (call) => changePolicy(deps, { ...within(call), change: call.body })),
    bind(structureRoutes.deleteRlsPolicy, (call) => deletePolicy(deps, within(call))),

    bind(copyRoutes.getRlsPolicy, (call) => policyDetails(copies, within(call))),
    bind(copyRoutes.listProtectedCopies, (call) => listProtectedCopies(copies, { ...within(call), ...call.query })),
    bind(copyRoutes.decideProtectedCopy, (call) => decideCopy(copies, { ...within(call), ...call.body })),

    bind(measureRoutes.listMeasures, (call) => listMeasures(deps, { ...within(call), ...call.query })),
    bind(measureRoutes.createMeasure, (call) =>
      createMeasure(deps, { ...within(call), id: call.newId, input: call.body }),
    ),
    bind(measureRoutes.getMeasure, (call) => findMeasure(deps, within(call))),
    bind(measureRoutes.updateMeasure, (call) => changeMeasure(deps, { ...within(call), change: call.body })),
    bind(measureRoutes.deleteMeasure, (call) => deleteMeasure(deps, { ...within(call), principal: call.principal })),
    bind(measureRoutes.validateMeasure, (call) => validateMeasure(deps, { ...within(call), ...call.body })),
    bind(measureRoutes.validateExpression, (call) => validateExpression(deps, { ...within(call), ...call.body })),

    bind(measureRoutes.previewMeasure, (call) => previewMeasure(deps, { ...within(call), ...call.body })),
    bind(aiRoutes.suggestMeasure, (call) => suggestMeasure(deps, { ...within(call), ...call.body })),
    bind(aiRoutes.suggestRelationships, (call) => suggestRelationships(deps, within(call))),

    bind(transformRoutes.listTransforms, (call) => listTransforms(deps, within(call))),
    bind(transformRoutes.createTransform, (call) =>
      createTransform(deps, { ...removing(call), id: call.newId, input: call.body }),
    ),
    bind(transformRoutes.updateTransform, (call) => changeTransform(deps, { ...removing(call), change: call.body })),
    bind(transformRoutes.deleteTransform, (call) => deleteTransform(deps, removing(call))),
    bind(transformRoutes.reorderTransforms, (call) => orderTransforms(deps, { ...removing(call), ...call.body })),

    bind(importRoutes.importModelTables, (call) =>
      importFromSource(deps, { ...within(call), wanted: call.body ?? {} }),
    ),
    bind(importRoutes.resyncModel, (call) => resyncWithSource(deps, within(call))),

    bind(versionRoutes.publishModel, ({ principal, params: { id }, body, newId }) =>
      publishModel(deps, { ...body, id, principal, requestId: newId }),
    ),
    bind(versionRoutes.listModelVersions, (call) => listVersions(deps, { ...within(call), ...call.query })),
    bind(versionRoutes.restoreModelVersion, ({ principal, params, query }) =>
      restoreVersion(deps, { ...params, ...query, principal }),
    ),

    bind(fileRoutes.exportModelFile, ({ principal, params: { id } }) => exportModel(deps, { id, principal })),
    bind(fileRoutes.importModelFile, ({ principal, params: { id }, query, body, newId: requestId }) =>
      importModel(deps, { ...query, ...body, id, principal, requestId }),
    ),

    bind(fileRoutes.validateModel, ({ principal, params: { id }, body, newId: requestId }) =>
      validateModel(deps, { ...body, id, principal, requestId }),
    ),

    bind(accessRoutes.listModelAccess, ({ principal: { workspaceId }, params: { id }, query }) =>
      access.list({ workspaceId, id, ...query }),
    ),
    bind(accessRoutes.setModelAccess, ({ principal: { workspaceId, userId: by }, params, body: { level } }) =>
      access.grant({ workspaceId, ...params, level, by }),
    ),
    bind(accessRoutes.revokeModelAccess, ({ principal: { workspaceId, userId: by }, params }) =>
      access.revoke({ workspaceId, ...params, by }),
    ),
  ],
  { ...showingDefinitions(group, 'model'), isGranted: grantCheck(table) },
);

import { startEngine } from '../../../shared/domains/engine/index.ts';
import { sourceTables } from '../../../shared/domains/semantics/models/index.ts';
import { openQueries } from '../../../shared/domains/semantics/queries/index.ts';
import { grantCheck } from '../../../shared/domains/tenancy/grants/index.ts';
import { bind } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';
import { readsAhead } from '../../../shared/platform/storage/reads-ahead.ts';
import { previewAccess } from './access-previews/preview-access.ts';
import * as accessRoutes from './access-previews/routes.ts';
import * as routes from './routes.ts';
import { askModel, compileQuestion, drillModel } from './use-cases/ask-model.ts';
import { detectRelationships } from './use-cases/detect-relationships.ts';
import { listColumnValues, listFieldValues } from './use-cases/list-values.ts';
import { previewModelTable } from './use-cases/preview-model-table.ts';

const group = openGroup('questions');
const ahead = readsAhead(group.table);
startEngine(environment('ENGINE_FUNCTION'));
const queries = openQueries({ ...group, table: ahead.table });
const deps = {
  ...queries,
  definitions: queries.rights.definitions,
  readTables: sourceTables(group.table, objectStore(environment('DATA_BUCKET'))),
};

export const handler = endpointGroup(
  [
    bind(routes.askModel, ({ principal, params: { modelId }, body, newId }) =>
      ahead.during([principal.workspaceId, principal.credentialId, modelId, body], () =>
        askModel(deps, { ...body, principal, modelId, queryId: newId }),
      ),
    ),
    bind(routes.drillModel, ({ principal, params: { modelId }, body, newId }) =>
      drillModel(deps, { ...body, principal, modelId, queryId: newId }),
    ),
    bind(routes.listFieldValues, ({ principal, params: { modelId }, body }) =>
      listFieldValues(deps, { ...body, principal, modelId }),
    ),
    bind(routes.listColumnValues, ({ principal, params: { id }, body }) =>
      listColumnValues(deps, { ...body, principal, id }),
    ),
    bind(routes.compileQuestion, ({ principal, params: { modelId }, body }) =>
      compileQuestion(deps, { ...body, principal, modelId }),
    ),
    bind(accessRoutes.previewAccess, ({ principal, params: { modelId }, body: { userId } }) =>
      previewAccess(deps, { principal, modelId, userId }),
    ),
    bind(routes.detectRelationships, ({ principal, params: { modelId } }) =>
      detectRelationships(deps, { modelId, principal }),
    ),
    bind(routes.previewModelTable, ({ principal, params, body }) =>
      previewModelTable(deps, { ...body, ...params, principal }),
    ),
  ],
  { ...group, isGranted: grantCheck(group.table) },
);

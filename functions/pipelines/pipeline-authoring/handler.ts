import { engineFunction } from '../../../shared/domains/engine/index.ts';
import { definitionChecks, definitionEngine } from '../../../shared/domains/pipelines/checks/index.ts';
import { extraEngines } from '../../../shared/domains/pipelines/definition/index.ts';
import { findFlowlet, flowletRepository } from '../../../shared/domains/pipelines/flowlets/index.ts';
import { dagStore } from '../../../shared/domains/pipelines/store/index.ts';
import { rightsDeps } from '../../../shared/domains/semantics/row-rights/index.ts';
import { datasetRepository } from '../../../shared/domains/warehouse/datasets/index.ts';
import { aiFunction } from '../../../shared/platform/ai/function/client.ts';
import { secretBox } from '../../../shared/platform/crypto/secret-box.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { bind } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';
import { showingDefinitions } from '../../catalog/common/showing-definitions.ts';
import * as flowletRoutes from './flowlets/routes.ts';
import { instantiateFlowlet, saveFlowlet } from './flowlets/use-cases.ts';
import { readLineage } from './lineage/read-lineage.ts';
import * as lineageRoutes from './lineage/routes.ts';
import { previewTransform } from './previews/preview-transform.ts';
import * as previewRoutes from './previews/routes.ts';
import * as suggestRoutes from './suggestions/routes.ts';
import { suggestOps } from './suggestions/suggest-ops.ts';

const group = openGroup('pipeline-authoring');
const { table, now } = group;
const engine = definitionEngine(engineFunction(environment('ENGINE_FUNCTION')));
const objects = objectStore(environment('DATA_BUCKET'));
const dags = dagStore(table, objects);
const deps = {
  ...definitionChecks(table, { dags, objects }, engine, extraEngines(process.env.EXTRA_ENGINES)),
  table,
  now,
  engine,
  rights: rightsDeps(table, now),
  datasets: datasetRepository(table),
  box: secretBox(group.master),
  ai: aiFunction(environment('AI_FUNCTION')),
  flowlets: flowletRepository(table),
};

export const handler = endpointGroup(
  [
    bind(flowletRoutes.saveFlowlet, ({ principal, body, newId }) =>
      saveFlowlet(deps, { ...body, id: newId, workspaceId: principal.workspaceId, createdBy: principal.userId }),
    ),
    bind(flowletRoutes.listFlowlets, ({ principal, query }) => deps.flowlets.listLatest(principal.workspaceId, query)),
    bind(flowletRoutes.getFlowlet, ({ principal, params }) =>
      findFlowlet(deps.flowlets, { ...params, workspaceId: principal.workspaceId }),
    ),
    bind(flowletRoutes.listFlowletVersions, async ({ principal, params, query }) => {
      const page = await deps.flowlets.listVersions(principal.workspaceId, params.id, query);
      if (!page) throw new AppError('FLOWLET_NOT_FOUND');
      return page;
    }),
    bind(flowletRoutes.retireFlowlet, async ({ principal, params }) => {
      if (!(await deps.flowlets.retire(principal.workspaceId, params.id))) throw new AppError('FLOWLET_NOT_FOUND');
    }),
    bind(flowletRoutes.instantiateFlowlet, ({ principal, params, body }) =>
      instantiateFlowlet(deps, { ...body, ...params, workspaceId: principal.workspaceId }),
    ),
    bind(lineageRoutes.getPipelineLineage, ({ principal, params }) =>
      readLineage(deps, { ...params, workspaceId: principal.workspaceId }),
    ),
    bind(previewRoutes.previewTransform, ({ principal, params, body }) =>
      previewTransform(deps, { limit: 100, ...body, id: params.id, principal }),
    ),
    bind(suggestRoutes.suggestOps, ({ principal, params, body }) =>
      suggestOps(deps, { ...body, id: params.id, principal }),
    ),
  ],
  showingDefinitions(group, 'flowlet', ({ seriesId }) => seriesId as string),
);

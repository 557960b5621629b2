import { findImpact, type ImpactDeps, objectLineage } from '../../../shared/domains/catalog/lineage/index.ts';
import { engineFunction } from '../../../shared/domains/engine/index.ts';
import { definitionEngine } from '../../../shared/domains/pipelines/checks/index.ts';
import { blendRepository } from '../../../shared/domains/semantics/blends/index.ts';
import { metricRepository } from '../../../shared/domains/semantics/metrics/index.ts';
import { sourceTables } from '../../../shared/domains/semantics/models/index.ts';
import { findLiveSource } from '../../../shared/domains/semantics/queries/index.ts';
import { rightsDeps } from '../../../shared/domains/semantics/row-rights/index.ts';
import { savedQueryRepository } from '../../../shared/domains/semantics/saved-queries/index.ts';
import { datasetRepository } from '../../../shared/domains/warehouse/datasets/index.ts';
import { dataSourceRepository } from '../../../shared/domains/warehouse/sources/index.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { bind } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';
import * as routes from './routes.ts';

const group = openGroup('lineage');
const { table, now, checkProduct } = group;
const engine = definitionEngine(engineFunction(environment('ENGINE_FUNCTION')));
const objects = objectStore(environment('DATA_BUCKET'));
const sources = dataSourceRepository(table);
const rights = rightsDeps(table, now);

const deps: ImpactDeps = {
  ...{ table, checkProduct, objects, engine },
  checks: {
    rights,
    definitions: rights.definitions,
    live: { find: (workspaceId, sourceId) => findLiveSource(sources, workspaceId, sourceId) },
    readTables: sourceTables(table, objects),
    datasets: datasetRepository(table),
    blends: blendRepository(table),
    savedQueries: savedQueryRepository(table).queries,
    metrics: metricRepository(table),
    now,
    columnIssues: engine.columnIssues,
  },
};

export const handler = endpointGroup(
  [
    bind(routes.getLineage, async ({ principal, params: start, query }) =>
      present(await objectLineage(deps, principal, { start, ...query })),
    ),
    bind(routes.getImpact, async ({ principal, params: start, query }) =>
      present(await findImpact(deps, principal, { start, ...query })),
    ),
  ],
  group,
);

function present<T>(found: T | undefined): T {
  if (!found) throw new AppError('LINEAGE_OBJECT_NOT_FOUND');
  return found;
}

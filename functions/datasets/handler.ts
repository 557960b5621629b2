import { readManifest } from '../../shared/datasets/manifests.ts';
import { datasetRepository } from '../../shared/datasets/repository.ts';
import { engineFunction } from '../../shared/engine-function/client.ts';
import { bind } from '../../shared/http/bind.ts';
import { endpointGroup } from '../../shared/http/endpoint-group.ts';
import { environment, openGroup } from '../../shared/http/open-group.ts';
import { objectStore } from '../../shared/objects/object-store.ts';
import * as routes from './routes.ts';
import { findDataset } from './use-cases/find-dataset.ts';
import { previewDataset } from './use-cases/preview-dataset.ts';

const group = openGroup('datasets');
const deps = {
  datasets: datasetRepository(group.table),
  manifest: readManifest.bind(undefined, group.table, objectStore(environment('DATA_BUCKET'))),
  engine: engineFunction(environment('ENGINE_FUNCTION')),
};

export const handler = endpointGroup(
  [
    bind(routes.listDatasets, ({ principal, query }) => deps.datasets.list(principal.workspaceId, query)),
    bind(routes.getDataset, ({ principal: { workspaceId }, params: { id } }) => findDataset(deps, { workspaceId, id })),
    bind(routes.getDatasetSchema, async ({ principal: { workspaceId }, params: { id } }) => {
      const { version, columns } = await findDataset(deps, { workspaceId, id });
      return { version, columns };
    }),
    bind(routes.previewDataset, ({ principal: { workspaceId }, params: { id }, query }) =>
      previewDataset(deps, { workspaceId, id, limit: query.limit }),
    ),
  ],
  group,
);

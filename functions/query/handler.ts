import { readManifest } from '../../shared/datasets/manifests.ts';
import { datasetRepository } from '../../shared/datasets/repository.ts';
import { engineFunction } from '../../shared/engine-function/client.ts';
import { bind } from '../../shared/http/bind.ts';
import { endpointGroup } from '../../shared/http/endpoint-group.ts';
import { environment, openGroup } from '../../shared/http/open-group.ts';
import { objectStore } from '../../shared/objects/object-store.ts';
import * as routes from './routes.ts';
import { runQuery } from './use-cases/run-query.ts';

const group = openGroup('query');
const deps = {
  datasets: datasetRepository(group.table),
  manifest: readManifest.bind(undefined, group.table, objectStore(environment('DATA_BUCKET'))),
  engine: engineFunction(environment('ENGINE_FUNCTION')),
};

export const handler = endpointGroup(
  [
    bind(routes.runQuery, ({ principal, body, newId }) =>
      runQuery(deps, { ...body, workspaceId: principal.workspaceId, queryId: newId }),
    ),
  ],
  group,
);

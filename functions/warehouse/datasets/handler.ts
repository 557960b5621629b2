import { findBroken, impactDeps } from '../../../shared/domains/catalog/lineage/index.ts';
import { engineFunction } from '../../../shared/domains/engine/index.ts';
import { dagStore } from '../../../shared/domains/pipelines/store/index.ts';
import { sourceTables } from '../../../shared/domains/semantics/models/index.ts';
import { datasetCopy, removeCopyItem, rightsDeps } from '../../../shared/domains/semantics/row-rights/index.ts';
import type { EndedSubject } from '../../../shared/domains/stories/comments/index.ts';
import { deleteUnused } from '../../../shared/domains/upkeep/referrers/index.ts';
import {
  type Dataset,
  datasetRepository,
  deleteDataset,
  listAllDatasets,
  readLastRefreshes,
  readManifest,
  readStorageStats,
  listVersions as readVersions,
} from '../../../shared/domains/warehouse/datasets/index.ts';
import { dataSourceRepository } from '../../../shared/domains/warehouse/sources/index.ts';
import type { Principal } from '../../../shared/platform/auth/principal.ts';
import { bind } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { jobQueue } from '../../../shared/platform/jobs/queue.ts';
import { jobRepository } from '../../../shared/platform/jobs/repository.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';
import { cleanUpItem } from '../../../shared/platform/storage/clean-ups.ts';
import type { TransactItem } from '../../../shared/platform/storage/table.ts';
import { showingDefinitions } from '../../catalog/common/showing-definitions.ts';
import { cachedStatistics } from './cached-statistics.ts';
import { datasetReferrers } from './referrers.ts';
import * as routes from './routes.ts';
import { referenceItems, saveDataset } from './save-dataset.ts';
import { createDataset } from './use-cases/create-dataset.ts';
import { describeStatistics } from './use-cases/describe-statistics.ts';
import { withoutHiddenRows } from './use-cases/hidden-refresh-rows.ts';
import { listRefreshes } from './use-cases/list-refreshes.ts';
import { previewDataset } from './use-cases/preview-dataset.ts';
import { describeColumns, findDataset, listDatasets, listVersions } from './use-cases/read-datasets.ts';
import { cancelRefresh, refreshDataset } from './use-cases/refresh-dataset.ts';
import { removeDataset } from './use-cases/remove-dataset.ts';
import { restoreDataset } from './use-cases/restore-dataset.ts';
import { updateDataset } from './use-cases/update-dataset.ts';
import { withLastRefreshes } from './use-cases/with-last-refreshes.ts';

const group = openGroup('datasets');
const { table, now } = group;
const objects = objectStore(environment('DATA_BUCKET'));
const engine = engineFunction(environment('ENGINE_FUNCTION'));
const rights = rightsDeps(table, now);
const broken = findBroken(impactDeps({ ...group, objects, engine }));
const deps = {
  cursors: group.cursors,
  datasets: datasetRepository(table),
  sources: dataSourceRepository(table),
  engine,
  table,
  objects,
  dags: dagStore(table, objects),
  definitions: rights.definitions,
  readTables: sourceTables(table, objects),
  rights,
  jobs: { jobs: jobRepository(table), queue: jobQueue(environment('JOB_QUEUE_URL')), now },
  now,
  manifest: readManifest.bind(undefined, table, objects),
  versions: readVersions.bind(undefined, table),
  storedBytes: async (workspaceId: string, id: string) => (await readStorageStats(table, workspaceId, id)).bytes,
  allDatasets: (workspaceId: string) => listAllDatasets(table, workspaceId),
  datasetNames: async (workspaceId: string) => (await listAllDatasets(table, workspaceId)).map(({ name }) => name),
  deleteUnused: deleteUnused(table, 'dataset', datasetReferrers(table, objects, engine), broken),
  findBroken: broken,
  lastRefreshes: readLastRefreshes.bind(undefined, table),
  cached: cachedStatistics(objects),
  save: saveDataset.bind(undefined, table),
  remove: (dataset: Dataset, free: TransactItem[]) =>
    deleteDataset(table, dataset, now(), [
      ...referenceItems(table, dataset, null),
      removeCopyItem(table, datasetCopy(dataset).place),
      cleanUpItem<EndedSubject>(
        table,
        { kind: 'subject', workspaceId: dataset.workspaceId, type: 'dataset', id: dataset.id },
        now(),
      ),
      ...free,
    ]),
};

/** Adds the result of each dataset's last refresh. */
const showDatasets = (principal: Principal, datasets: Dataset[]) =>
  withLastRefreshes(
    { ...deps, shownTo: (dataset, last) => withoutHiddenRows(deps, principal, dataset, last) },
    principal.workspaceId,
    datasets,
  );

export const handler = endpointGroup(
  [
    bind(routes.createDataset, ({ principal, body, newId }) => createDataset(deps, { ...body, id: newId, principal })),
    bind(routes.listDatasets, async ({ principal, query }) => {
      const page = await listDatasets(deps, { ...query, workspaceId: principal.workspaceId });
      return { ...page, items: await showDatasets(principal, page.items) };
    }),
    bind(routes.getDataset, async ({ principal, params: { id } }) => {
      const found = await findDataset(deps, { workspaceId: principal.workspaceId, id });
      const [dataset] = await showDatasets(principal, [found]);
      return dataset!;
    }),
    bind(routes.updateDataset, ({ principal, params: { id }, query: { force }, body }) =>
      updateDataset(deps, { principal, id, change: body, force }),
    ),
    bind(routes.deleteDataset, ({ principal, params: { id } }) => removeDataset(deps, { principal, id })),
    bind(routes.refreshDataset, ({ principal: { workspaceId, userId }, params: { id }, newId }) =>
      refreshDataset(deps, { workspaceId, id, jobId: newId, userId }),
    ),
    bind(routes.cancelDatasetRefresh, ({ principal: { workspaceId }, params: { id } }) =>
      cancelRefresh(deps, { workspaceId, id }),
    ),
    bind(routes.setDatasetSchedule, ({ principal, params: { id }, body }) =>
      updateDataset(deps, { principal, id, change: { schedule: body }, force: true, scheduleAt: '' }),
    ),
    bind(routes.listDatasetHistory, ({ principal, params, query }) =>
      listRefreshes(deps, { ...params, principal, query }),
    ),
    bind(routes.getDatasetSchema, ({ principal, params: { id } }) =>
      describeColumns(deps, { workspaceId: principal.workspaceId, id, principal }),
    ),
    bind(routes.getDatasetStatistics, ({ principal, params: { id } }) =>
      describeStatistics(deps, { workspaceId: principal.workspaceId, id, principal }),
    ),
    bind(routes.previewDataset, ({ principal, params: { id }, query }) =>
      previewDataset(deps, { workspaceId: principal.workspaceId, id, principal, limit: query.limit }),
    ),
    bind(routes.listDatasetVersions, ({ principal: { workspaceId }, params: { id } }) =>
      listVersions(deps, { workspaceId, id }),
    ),
    bind(routes.restoreDatasetVersion, ({ principal, params, query, newId }) =>
      restoreDataset(deps, { ...params, ...query, principal, restoreId: newId }),
    ),
  ],
  showingDefinitions(group, 'dataset'),
);

import { S3Client } from '@aws-sdk/client-s3';
import { connectionPool, POOL_LIMITS } from '../../../shared/data/connectors/connection/connection-pool.ts';
import { engineFunction } from '../../../shared/domains/engine/index.ts';
import { dagStore } from '../../../shared/domains/pipelines/store/index.ts';
import { rightsDeps } from '../../../shared/domains/semantics/row-rights/index.ts';
import {
  dataSourceRepository,
  readCatalogue,
  readCataloguePointer,
  removeCatalogueItem,
  removeReferencesItem,
  type StoredDataSource,
  sourceReferences,
} from '../../../shared/domains/warehouse/sources/index.ts';
import { recordAct } from '../../../shared/platform/audit/entry.ts';
import { secretBox } from '../../../shared/platform/crypto/secret-box.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { bind } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { jobQueue } from '../../../shared/platform/jobs/queue.ts';
import { showJob } from '../../../shared/platform/jobs/record.ts';
import { jobList, jobRepository } from '../../../shared/platform/jobs/repository.ts';
import { guardFromEnvironment, webhookSchemes } from '../../../shared/platform/net/guard-from-environment.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';
import { withReferences } from '../../../shared/platform/storage/references.ts';
import { namedReferrers } from '../../../shared/platform/storage/referrers.ts';
import { showingDefinitions } from '../../catalog/common/showing-definitions.ts';
import { connections, TIMEOUTS } from './connections.ts';
import { sourceFiles } from './files.ts';
import { inspection } from './inspection.ts';
import * as routes from './routes.ts';
import { settingsCheck } from './use-cases/check-settings.ts';
import { createDataSource } from './use-cases/create-data-source.ts';
import { createUpload } from './use-cases/create-upload.ts';
import { deleteDataSource } from './use-cases/delete-data-source.ts';
import { discoverColumns, discoverSchemas, discoverTables } from './use-cases/discover.ts';
import { abortUpload, completeUpload } from './use-cases/finish-upload.ts';
import type { Catalogues } from './use-cases/read-catalogue.ts';
import { findSource, listDataSources, showDataSource } from './use-cases/read-data-sources.ts';
import { scheduleSync, syncDataSource } from './use-cases/sync-data-source.ts';
import { testNewSource, testStoredSource } from './use-cases/test-source.ts';
import { updateDataSource } from './use-cases/update-data-source.ts';

const group = openGroup('data-sources');
// While it signs, the SDK sees an empty body; a signed upload must not carry the checksum of that.
const s3 = new S3Client({ requestChecksumCalculation: 'WHEN_REQUIRED' });
const bucket = environment('DATA_BUCKET');
const secrets = secretBox(group.master);
const engine = engineFunction(environment('ENGINE_FUNCTION'));
const objects = objectStore(bucket, s3);
const options = { guard: guardFromEnvironment(), schemes: webhookSchemes(), ownBucket: bucket, timeouts: TIMEOUTS };
const { table, now } = group;
const sources = dataSourceRepository(table);
const catalogues: Catalogues = {
  async of({ workspaceId, id: sourceId }) {
    const pointer = await readCataloguePointer(table, { workspaceId, sourceId });
    return pointer && { syncedAt: pointer.syncedAt, read: () => readCatalogue(objects, pointer) };
  },
};
const deps = {
  ...rightsDeps(table, now),
  dags: dagStore(table, objects),
  sources,
  catalogues,
  jobs: { jobs: jobRepository(table), queue: jobQueue(environment('JOB_QUEUE_URL')), now },
  remove: (source: StoredDataSource) =>
    withReferences(
      [removeReferencesItem(table, source.workspaceId, source.id)],
      (unreferenced) =>
        sources.remove(source, 'STALE_WRITE', [
          removeCatalogueItem(table, { workspaceId: source.workspaceId, sourceId: source.id }),
          ...unreferenced,
        ]),
      (cause) => new AppError('STALE_WRITE', { cause }),
    ),
  files: sourceFiles(s3, bucket),
  inspection: inspection(engine, objects),
  objects,
  referrers: namedReferrers(table, sourceReferences(table)),
  connections: connections(options, secrets, connectionPool(POOL_LIMITS)),
  checkSettings: settingsCheck(options),
  secrets,
  now,
};

export const handler = endpointGroup(
  [
    bind(routes.listDataSources, ({ principal: { workspaceId }, query }) =>
      listDataSources(deps, { workspaceId, ...query }),
    ),
    bind(routes.createDataSource, ({ principal, body: source, newId: id }) =>
      createDataSource(deps, { id, principal, source }),
    ),
    bind(routes.testNewDataSource, ({ body }) => testNewSource(deps, body)),
    bind(routes.getDataSource, async ({ principal: { workspaceId }, params: { id } }) =>
      showDataSource(await findSource(deps, { workspaceId, id })),
    ),
    bind(routes.updateDataSource, ({ principal: { workspaceId }, params: { id }, body }) =>
      updateDataSource(deps, { workspaceId, id, change: body }),
    ),
    bind(routes.deleteDataSource, ({ principal: { workspaceId }, params: { id } }) =>
      deleteDataSource(deps, { workspaceId, id }),
    ),
    bind(routes.testDataSource, async ({ principal: { workspaceId }, params: { id } }) =>
      testStoredSource(deps, await findSource(deps, { workspaceId, id })),
    ),
    bind(routes.createUpload, async ({ principal, params: { id }, body }) => {
      const { name } = await findSource(deps, { workspaceId: principal.workspaceId, id });
      const upload = await createUpload(deps, { principal, id, ...body });
      const { path, size } = body;
      const object = { type: 'data-source', id, name };
      await recordAct(table, { action: 'data_source.upload_created', object, after: { path, size } });
      return upload;
    }),
    bind(routes.completeUpload, ({ principal, params, body }) =>
      completeUpload(deps, { principal, ...params, ...body }),
    ),
    bind(routes.abortUpload, ({ principal, params, query }) => abortUpload(deps, { principal, ...params, ...query })),
    bind(routes.listSourceSchemas, async ({ principal: { workspaceId }, params: { id } }) =>
      discoverSchemas(deps, await findSource(deps, { workspaceId, id })),
    ),
    bind(routes.listSourceTables, async ({ principal: { workspaceId }, params: { id }, query }) =>
      discoverTables(deps, await findSource(deps, { workspaceId, id }), query),
    ),
    bind(routes.listSourceColumns, async ({ principal: { workspaceId }, params: { id }, query }) =>
      discoverColumns(deps, await findSource(deps, { workspaceId, id }), query),
    ),
    bind(routes.syncDataSource, ({ principal: { workspaceId, userId }, params: { id }, newId }) =>
      syncDataSource(deps, { workspaceId, id, jobId: newId, userId }),
    ),
    bind(routes.setDataSourceSchedule, ({ principal: { workspaceId }, params: { id }, body }) =>
      scheduleSync(deps, { workspaceId, id, schedule: body }),
    ),
    bind(routes.listDataSourceHistory, async ({ principal: { workspaceId }, params: { id }, query }) => {
      await findSource(deps, { workspaceId, id });
      const page = await deps.jobs.jobs.list(workspaceId, query, jobList('source_sync', id));
      return { ...page, items: page.items.map(showJob) };
    }),
  ],
  showingDefinitions(group, 'source'),
);

import { startEngine } from '../../../shared/domains/engine/index.ts';
import {
  countDatasets,
  downloadLinks,
  logExport,
  openQueries,
  validateStatement,
} from '../../../shared/domains/semantics/queries/index.ts';
import { bind } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { jobQueue } from '../../../shared/platform/jobs/queue.ts';
import { jobRepository } from '../../../shared/platform/jobs/repository.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';
import { readsAhead } from '../../../shared/platform/storage/reads-ahead.ts';
import * as routes from './routes.ts';
import { cancelQueryJob, getQueryJob, readQueryJobResult, startQueryJob } from './use-cases/query-jobs.ts';
import { runQuery } from './use-cases/run-query.ts';

const group = openGroup('query');
const ahead = readsAhead(group.table);
startEngine(environment('ENGINE_FUNCTION'));
const bucket = environment('DATA_BUCKET');
const deps = {
  ...openQueries({ ...group, table: ahead.table }),
  links: downloadLinks(bucket, group.now),
  objects: objectStore(bucket),
  jobs: { jobs: jobRepository(group.table), queue: jobQueue(environment('JOB_QUEUE_URL')), now: group.now },
};

export const handler = endpointGroup(
  [
    bind(routes.runQuery, async ({ principal, body, newId, contentType }) => {
      const { workspaceId, credentialId } = principal;
      const { reply, datasetIds } = await ahead.during([workspaceId, credentialId, contentType, body], () =>
        runQuery(deps, { ...body, principal, queryId: newId, contentType }),
      );
      await logExport(group.table, { type: 'query', id: newId, name: null }, contentType);
      await countDatasets(group, principal, datasetIds);
      return reply;
    }),
    bind(routes.validateQuery, ({ principal, body }) =>
      validateStatement(deps, { ...body, principal, workspaceId: principal.workspaceId }),
    ),
    bind(routes.startQueryJob, ({ principal, body, newId }) =>
      startQueryJob(deps, { ...body, principal, jobId: newId }),
    ),
    bind(routes.getQueryJob, ({ principal, params: { id } }) => getQueryJob(deps, { principal, id })),
    bind(routes.getQueryJobResult, async ({ principal, params: { id }, query: { cursor }, contentType }) => {
      const reply = await readQueryJobResult(deps, { principal, id, cursor, contentType });
      await logExport(group.table, { type: 'query-job', id, name: null }, contentType);
      return reply;
    }),
    bind(routes.cancelQueryJob, ({ principal, params: { id } }) => cancelQueryJob(deps, { principal, id })),
  ],
  group,
);

import { bind } from '../../shared/http/bind.ts';
import { endpointGroup } from '../../shared/http/endpoint-group.ts';
import { environment, openGroup } from '../../shared/http/open-group.ts';
import { jobQueue } from '../../shared/jobs/queue.ts';
import { jobRepository } from '../../shared/jobs/repository.ts';
import { objectStore } from '../../shared/objects/object-store.ts';
import { validateStatement } from '../../shared/query/describe-statement.ts';
import { downloadLinks } from '../../shared/query/download-links.ts';
import { openQueries } from '../../shared/query/open-queries.ts';
import * as routes from './routes.ts';
import { cancelQueryJob, getQueryJob, readQueryJobResult, startQueryJob } from './use-cases/query-jobs.ts';
import { runQuery } from './use-cases/run-query.ts';

const group = openGroup('query');
const bucket = environment('DATA_BUCKET');
const deps = {
  ...openQueries(group),
  links: downloadLinks(bucket, group.now),
  objects: objectStore(bucket),
  jobs: { jobs: jobRepository(group.table), queue: jobQueue(environment('JOB_QUEUE_URL')), now: group.now },
};

export const handler = endpointGroup(
  [
    bind(routes.runQuery, ({ principal, body, newId, contentType }) =>
      runQuery(deps, { ...body, principal, queryId: newId, contentType }),
    ),
    bind(routes.validateQuery, ({ principal: { workspaceId }, body }) =>
      validateStatement(deps, { ...body, workspaceId }),
    ),
    bind(routes.startQueryJob, ({ principal, body, newId }) =>
      startQueryJob(deps, { ...body, principal, jobId: newId }),
    ),
    bind(routes.getQueryJob, ({ principal: { workspaceId }, params: { id } }) =>
      getQueryJob(deps, { workspaceId, id }),
    ),
    bind(routes.getQueryJobResult, ({ principal, params: { id }, query: { cursor }, contentType }) =>
      readQueryJobResult(deps, { principal, id, cursor, contentType }),
    ),
    bind(routes.cancelQueryJob, ({ principal: { workspaceId }, params: { id } }) =>
      cancelQueryJob(deps, { workspaceId, id }),
    ),
  ],
  group,
);

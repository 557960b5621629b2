import type { APIGatewayProxyEvent } from 'aws-lambda';
import { showErrors } from '../../../shared/domains/pipelines/runs/index.ts';
import { dagStore, runRepository, type StoredRun } from '../../../shared/domains/pipelines/store/index.ts';
import { rightsDeps } from '../../../shared/domains/semantics/row-rights/index.ts';
import { datasetRepository } from '../../../shared/domains/warehouse/datasets/index.ts';
import { isPermitted } from '../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../shared/platform/auth/principal.ts';
import { reaches } from '../../../shared/platform/auth/resources.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { headersOf } from '../../../shared/platform/http/headers.ts';
import { commonHeaders } from '../../../shared/platform/http/middlewares/observe.ts';
import { noQueryIssues } from '../../../shared/platform/http/no-query-issues.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { renderProblem } from '../../../shared/platform/http/problem.ts';
import { beginReply, streamifyResponse } from '../../../shared/platform/http/response-stream.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { issueMessage } from '../../../shared/platform/validation/issue-messages.ts';
import { followRun } from './follow-run.ts';
import { lastEventId } from './frames.ts';
import { streamRunEvents } from './routes.ts';

/** API Gateway ends a stream after 15 minutes; this one ends earlier and asks the client to reconnect. */
const MAX_STREAM_MS = 14 * 60 * 1000;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const group = openGroup('pipeline-events', { recordsUse: false });
const { table, now } = group;
const deps = {
  rights: rightsDeps(table, now),
  datasets: datasetRepository(table),
  dags: dagStore(table, objectStore(environment('DATA_BUCKET'))),
};

/** Streams the events of a run. Errors before the stream begins get an ordinary reply. */
export const handler = streamifyResponse(async (event, stream) => {
  const requestId = event.requestContext.requestId ?? newId(group.now());
  const headers = headersOf(event);
  let followed: { run: StoredRun; principal: Principal };
  try {
    followed = await runOf(event, headers);
  } catch (error) {
    if (!(error instanceof AppError)) group.log.error('unexpected failure', { error: error as Error, requestId });
    const reply = renderProblem(error, { path: event.path, requestId });
    const out = beginReply(stream, {
      statusCode: reply.statusCode,
      headers: { ...reply.headers, ...commonHeaders(event, reply), 'x-request-id': requestId },
    });
    out.end(reply.body);
    return;
  }

  const streamed = {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  };
  const out = beginReply(stream, {
    statusCode: 200,
    headers: { ...streamed, ...commonHeaders(event, { headers: streamed }), 'x-request-id': requestId },
  });
  let isClosed = false;
  for (const event of ['close', 'error'] as const) out.on(event, () => (isClosed = true));
  try {
    await followRun(
      {
        table: group.table,
        dags: deps.dags,
        cursors: group.cursors,
        now: group.now,
        sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      },
      {
        run: followed.run,
        errors: () => showErrors(deps, followed.principal),
        after: lastEventId(headers['last-event-id']),
        until: new Date(group.now().getTime() + MAX_STREAM_MS),
        hasAccess: () => hasAccess(headers.authorization),
        send: (text) => {
          if (!isClosed) out.write(text);
          return !isClosed;
        },
      },
    );
  } catch (error) {
    // The status has been sent already; ending the stream makes the client reconnect.
    group.log.error('the event stream failed', { error: error as Error, requestId });
  }
  out.end();
});

/** Authentication caches a caller for a few seconds, so that open streams cost few reads. */
async function authorized(authorization: string | undefined): Promise<Principal> {
  const now = group.now();
  const principal = await group.authenticate(authorization, now);
  if (principal.isSuspended) throw new AppError('WORKSPACE_DELETED');
  if (!reaches(principal, streamRunEvents.object, undefined) || !isPermitted('pipelines:read', principal))
    throw new AppError('FORBIDDEN');
  await group.checkProduct(principal.companyId, 'pipelines', now);
  return principal;
}

async function hasAccess(authorization: string | undefined): Promise<boolean> {
  try {
    await authorized(authorization);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

async function runOf(
  event: APIGatewayProxyEvent,
  headers: Record<string, string>,
): Promise<{ run: StoredRun; principal: Principal }> {
  const principal = await authorized(headers.authorization);
  const unknown = noQueryIssues(event);
  if (unknown.length > 0) throw new AppError('VALIDATION_FAILED', { errors: unknown });
  const runId = /\/runs\/([^/]+)\/events$/.exec(event.path)?.[1] ?? '';
  if (!UUID.test(runId)) {
    throw new AppError('VALIDATION_FAILED', {
      errors: [{ pointer: '/path/runId', ...issueMessage('format', { format: 'uuid' }) }],
    });
  }
  const run = await runRepository(group.table).get(principal.workspaceId, runId);
  if (!run) throw new AppError('RUN_NOT_FOUND');
  return { run, principal };
}

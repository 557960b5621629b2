import { SFNClient } from '@aws-sdk/client-sfn';
import { findBroken, impactDeps } from '../../../shared/domains/catalog/lineage/index.ts';
import { follows } from '../../../shared/domains/delivery/notifications/index.ts';
import { engineFunction } from '../../../shared/domains/engine/index.ts';
import { captureQueue, captureStates, streamRepository } from '../../../shared/domains/pipelines/cdc/index.ts';
import { definitionChecks, definitionEngine } from '../../../shared/domains/pipelines/checks/index.ts';
import { extraEngines } from '../../../shared/domains/pipelines/definition/index.ts';
import { cancelRun, createRun, retryRun } from '../../../shared/domains/pipelines/runs/index.ts';
import {
  dagStore,
  launcher,
  type StoredPipeline,
  startLimitsFrom,
  webhookTokens,
  workQueue,
} from '../../../shared/domains/pipelines/store/index.ts';
import { startsBeforeNextTick } from '../../../shared/domains/pipelines/triggers/index.ts';
import { sourceTables } from '../../../shared/domains/semantics/models/index.ts';
import { rightsDeps } from '../../../shared/domains/semantics/row-rights/index.ts';
import { readMembers, readWorkspace } from '../../../shared/domains/tenancy/workspaces/index.ts';
import { datasetRepository } from '../../../shared/domains/warehouse/datasets/index.ts';
import type { Principal } from '../../../shared/platform/auth/principal.ts';
import { secretBox } from '../../../shared/platform/crypto/secret-box.ts';
import { baseUrl } from '../../../shared/platform/http/base-url.ts';
import { bind, bindPublic } from '../../../shared/platform/http/bind.ts';
import { Content } from '../../../shared/platform/http/content.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { guardFromEnvironment } from '../../../shared/platform/net/guard-from-environment.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';
import { showingDefinitions } from '../../catalog/common/showing-definitions.ts';
import {
  createCdcStream,
  deleteCdcStream,
  getCdcStream,
  listCdcStreams,
  resyncCdcStream,
  updateCdcStream,
} from './cdc/cdc-streams.ts';
import { cdcPreflight } from './cdc/preflight.ts';
import * as cdcRoutes from './cdc/routes.ts';
import { executionIssue } from './execution-services.ts';
import { listGateEvaluations, summarizeGates } from './quality/read-quality.ts';
import * as qualityRoutes from './quality/routes.ts';
import { pipelinesOf } from './repository.ts';
import * as routes from './routes.ts';
import { listAllRuns } from './runs/list-all-runs.ts';
import { getRun, getStepLogs, listRuns, listSteps, viewRun, viewRunOfTrigger } from './runs/read-runs.ts';
import * as runRoutes from './runs/routes.ts';
import { listTriggers } from './triggers/list-triggers.ts';
import * as triggerRoutes from './triggers/routes.ts';
import { rotateWebhookToken, runByWebhook, showWebhookTrigger } from './triggers/webhook-trigger.ts';
import { readUsage, readUsageBreakdown } from './usage/read-usage.ts';
import * as usageRoutes from './usage/routes.ts';
import { cancelBackfill } from './use-cases/cancel-backfill.ts';
import { deletePipeline, getPipeline, listPipelines } from './use-cases/read-pipelines.ts';
import { brokenDefinitionIssues, createPipeline, setSchedule, updatePipeline } from './use-cases/save-pipeline.ts';
import { startBackfill } from './use-cases/start-backfill.ts';
import { validatePipeline } from './use-cases/validate-pipeline.ts';
import { workersStatus } from './use-cases/workers-status.ts';

/** The URL under which the caller reached the API. */
function baseUrlOf(headers: Record<string, string>): string {
  return `${headers['x-forwarded-proto'] ?? 'https'}://${headers.host ?? ''}`;
}

const group = openGroup('pipelines');
const { table, now } = group;
const machines = { run: environment('RUN_MACHINE_ARN'), step: environment('STEP_MACHINE_ARN') };
const states = new SFNClient({});
const objects = objectStore(environment('DATA_BUCKET'));
const dags = dagStore(table, objects);
const queue = workQueue(environment('WORK_QUEUE_URL'));
const rights = rightsDeps(table, now);
const engine = engineFunction(environment('ENGINE_FUNCTION'));
const deps = {
  ...definitionChecks(table, { dags, objects }, definitionEngine(engine), extraEngines(process.env.EXTRA_ENGINES)),
  table,
  now,
  cursors: group.cursors,
  objects,
  dags,
  rights,
  definitions: rights.definitions,
  readTables: sourceTables(table, objects),
  datasets: datasetRepository(table),
  pipelines: pipelinesOf(table, dags),
  executionIssue: () => executionIssue(states, machines),
  startWaiting: ({ workspaceId, id: pipelineId }: StoredPipeline) =>
    queue.send([{ message: { kind: 'start-waiting', workspaceId, pipelineId }, delaySeconds: 0 }]),
  // If these messages are lost, the minute tick starts the most recent instant.
  announceStarts: (pipeline: StoredPipeline) =>
    queue.send(startsBeforeNextTick(pipeline, now())).catch(() => undefined),
  tokens: webhookTokens(group.master),
  workspace: (id: string) => readWorkspace(table, id),
  members: (workspaceId: string, userIds: readonly string[]) => readMembers(table, workspaceId, userIds),
  resumeMails: (person: Principal, id: string) => follows(table).set(person, { type: 'pipeline', id }, 'following'),
  checkProduct: group.checkProduct,
  findBroken: findBroken(impactDeps({ ...group, objects, engine })),
};
const cdc = {
  streams: streamRepository(table),
  states: captureStates(table),
  sources: deps.sources,
  preflight: cdcPreflight(secretBox(group.master), guardFromEnvironment()),
  captures: captureQueue(environment('CAPTURE_QUEUE_URL')),
  readTables: deps.readTables,
  ...rights,
};
const runs = {
  table,
  now,
  dags,
  queue,
  launcher: launcher(machines, states),
  startLimits: startLimitsFrom(process.env),
  random: Math.random,
};

export const handler = endpointGroup(
  [
    bind(routes.listPipelines, ({ principal, query }) => listPipelines(deps, { ...query, principal })),
    bind(
      routes.createPipeline,
      ({ principal, body, newId, headers }) =>
        createPipeline(deps, { ...body, id: newId, principal, apiUrl: baseUrl(headers) }),
      ({ principal, body, newId }) =>
        brokenDefinitionIssues(deps, { id: newId, workspaceId: principal.workspaceId, body }),
    ),
    bind(routes.getPipeline, ({ principal, params }) => getPipeline(deps, { ...params, principal })),
    bind(
      routes.updatePipeline,
      ({ principal, params, query, body, headers }) =>
        updatePipeline(deps, { ...body, ...query, id: params.id, principal, apiUrl: baseUrl(headers) }),
      ({ principal, params, body }) =>
        brokenDefinitionIssues(deps, { id: String(params.id), workspaceId: principal.workspaceId, body }),
    ),
    bind(routes.deletePipeline, ({ principal, params, query }) =>
      deletePipeline(deps, { ...query, id: params.id, principal }),
    ),
    bind(routes.setPipelineSchedule, ({ principal, params, body }) =>
      setSchedule(deps, { id: params.id, workspaceId: principal.workspaceId, schedule: body }),
    ),
    bind(routes.validatePipeline, ({ principal, params, body }) =>
      validatePipeline(deps, { ...body, id: params.id, workspaceId: principal.workspaceId }),
    ),
    bind(runRoutes.runPipeline, async ({ principal, params, body, newId }) => {
      const run = await createRun(runs, {
        workspaceId: principal.workspaceId,
        pipelineId: params.id,
        runId: newId,
        trigger: { kind: 'manual', scheduledAt: null, upstreamRunId: null, actor: principal.userId },
        parameters: body.parameters ?? {},
        ...(body.fullRefresh ? { fullRefresh: body.fullRefresh } : {}),
      });
      return viewRun(deps, principal, run);
    }),
    bind(runRoutes.listRuns, ({ principal, params, query }) => listRuns(deps, { ...query, id: params.id, principal })),
    bind(runRoutes.listAllRuns, ({ principal, query }) => listAllRuns(deps, { ...query, principal })),
    bind(runRoutes.getRun, ({ principal, params }) => getRun(deps, { ...params, principal })),
    bind(runRoutes.listStepRuns, ({ principal, params, query }) => listSteps(deps, { ...params, ...query, principal })),
    bind(runRoutes.cancelRun, async ({ principal, params }) =>
      viewRun(deps, principal, await cancelRun(runs, { ...params, workspaceId: principal.workspaceId }, 'requested')),
    ),
    bind(runRoutes.retryRun, async ({ principal, params, body }) =>
      viewRun(deps, principal, await retryRun(runs, { ...params, ...body, workspaceId: principal.workspaceId })),
    ),
    bind(runRoutes.getStepLogs, ({ principal, params, query }) =>
      getStepLogs(deps, { ...params, ...query, principal }),
    ),
    bind(triggerRoutes.getWebhookTrigger, ({ principal, params, headers }) =>
      showWebhookTrigger(deps, { ...params, workspaceId: principal.workspaceId, baseUrl: baseUrlOf(headers) }),
    ),
    bind(triggerRoutes.rotateWebhookToken, ({ principal, params, headers }) =>
      rotateWebhookToken(deps, { ...params, workspaceId: principal.workspaceId, baseUrl: baseUrlOf(headers) }),
    ),
    bindPublic(triggerRoutes.runByWebhook, async ({ params, query, body, bodyText, newId, headers }) => {
      const idempotencyKey = headers['idempotency-key'];
      const call = { ...params, token: query.token ?? '', body, bodyText, runId: newId };
      const run = await runByWebhook({ ...deps, runs }, idempotencyKey ? { ...call, idempotencyKey } : call);
      const shown = await viewRunOfTrigger(deps, run);
      const isReplayed = run.id !== newId;
      return isReplayed ? new Content(JSON.stringify(shown), { headers: { 'idempotency-replayed': 'true' } }) : shown;
    }),
    bind(triggerRoutes.startBackfill, ({ principal, params, body, newId }) =>
      startBackfill(
        { ...deps, runs },
        { ...params, ...body, workspaceId: principal.workspaceId, backfillId: newId, actor: principal.userId },
      ),
    ),
    bind(triggerRoutes.cancelBackfill, ({ principal, params }) =>
      cancelBackfill({ ...deps, runs }, { ...params, workspaceId: principal.workspaceId }),
    ),
    bind(triggerRoutes.listTriggers, ({ principal, params, query }) =>
      listTriggers(deps, { ...params, ...query, workspaceId: principal.workspaceId }),
    ),
    bind(cdcRoutes.listCdcStreams, ({ principal, query }) =>
      listCdcStreams(cdc, { ...query, workspaceId: principal.workspaceId }),
    ),
    bind(cdcRoutes.createCdcStream, ({ principal, body, newId }) =>
      createCdcStream(cdc, { ...body, id: newId, principal }),
    ),
    bind(cdcRoutes.getCdcStream, ({ principal, params }) =>
      getCdcStream(cdc, { ...params, workspaceId: principal.workspaceId }),
    ),
    bind(cdcRoutes.updateCdcStream, ({ principal, params, body }) =>
      updateCdcStream(cdc, { ...body, ...params, principal }),
    ),
    bind(cdcRoutes.resyncCdcStream, ({ principal, params, body }) =>
      resyncCdcStream(cdc, { ...body, ...params, workspaceId: principal.workspaceId }),
    ),
    bind(cdcRoutes.deleteCdcStream, ({ principal, params }) =>
      deleteCdcStream(cdc, { ...params, workspaceId: principal.workspaceId }),
    ),
    bind(qualityRoutes.listGateEvaluations, ({ principal, params, query }) =>
      listGateEvaluations(deps, {
        ...params,
        ...query,
        principal,
      }),
    ),
    bind(qualityRoutes.summarizeGates, ({ principal, query }) =>
      summarizeGates(deps, { ...query, workspaceId: principal.workspaceId }),
    ),
    bind(usageRoutes.getPipelineUsage, ({ principal: { workspaceId } }) =>
      readUsage(deps, { workspaceId, month: now().toISOString().slice(0, 7) }),
    ),
    bind(usageRoutes.getPipelineUsageBreakdown, ({ principal: { workspaceId }, query }) =>
      readUsageBreakdown(deps, { workspaceId, month: query.month ?? now().toISOString().slice(0, 7) }),
    ),
    bind(runRoutes.getWorkersStatus, ({ principal }) => workersStatus(deps, { workspaceId: principal.workspaceId })),
  ],
  showingDefinitions(group, 'pipeline'),
);

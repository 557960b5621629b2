import { parseExactly } from '../../../../shared/data/connectors/rows/json-records.ts';
import type { Dag } from '../../../../shared/domains/pipelines/definition/index.ts';
import { createRun } from '../../../../shared/domains/pipelines/runs/index.ts';
import {
  type DagStore,
  type RunContext,
  recordTrigger,
  rejectionOf,
  type StoredPipeline,
  type StoredRun,
  type WebhookTokens,
  workspaceOf,
} from '../../../../shared/domains/pipelines/store/index.ts';
import type { WorkspaceRecord } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { type CheckProduct, isProductError } from '../../../../shared/platform/entitlements/product-check.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { idFrom, later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { PipelineRepository } from '../repository.ts';
import type { WebhookTrigger } from '../schemas.ts';

const MAX_BODY_BYTES = 256 * 1024;
/** How long a repeated call with the same Idempotency-Key returns the same run. */
const KEY_RETENTION_SECONDS = 24 * 60 * 60;

interface Deps {
  pipelines: PipelineRepository;
  dags: DagStore;
  tokens: WebhookTokens;
  now(): Date;
}

/** The URL that starts the pipeline. Throws `PIPELINE_NOT_FOUND`, `WEBHOOK_TRIGGER_NOT_FOUND`. */
export async function showWebhookTrigger(
  deps: Deps,
  query: { workspaceId: string; id: string; baseUrl: string },
): Promise<WebhookTrigger> {
  const pipeline = await withTrigger(deps, query);
  const { generation, createdAt } = tokenOf(pipeline);
  const token = await deps.tokens.issue({ workspaceId: pipeline.workspaceId, pipelineId: pipeline.id, generation });
  const url = `${query.baseUrl}/api/pipelines/${pipeline.id}/webhook?token=${token}`;
  return { url, method: 'POST', tokenCreatedAt: createdAt };
}

/** Replaces the URL; earlier ones are rejected from now on. */
export async function rotateWebhookToken(
  deps: Deps,
  command: { workspaceId: string; id: string; baseUrl: string },
): Promise<WebhookTrigger> {
  await onNewest('PIPELINE_CHANGED', async () => {
    const pipeline = await withTrigger(deps, command);
    const updatedAt = later(pipeline.updatedAt, deps.now());
    const webhookToken = { generation: tokenOf(pipeline).generation + 1, createdAt: updatedAt };
    await deps.pipelines.replace(pipeline, { ...pipeline, updatedAt, webhookToken });
  });
  return showWebhookTrigger(deps, command);
}

interface Call {
  id: string;
  token: string;
  body: Record<string, unknown>;
  /** As received; no body counts as an empty object. */
  bodyText: string;
  runId: string;
  idempotencyKey?: string;
}

/**
 * Starts a run for a caller with the token. Members of the body set the parameters of the same name; steps read the
 * whole body as `{{ trigger.body }}`. The trigger history records the outcome. Throws `WEBHOOK_TOKEN_INVALID` for every
 * wrong token, whether or not the pipeline exists.
 */
export async function runByWebhook(
  deps: Deps & {
    runs: RunContext;
    workspace(id: string): Promise<WorkspaceRecord | undefined>;
    checkProduct: CheckProduct;
  },
  call: Call,
): Promise<StoredRun> {
  const workspaceId = workspaceOf(call.token);
  if (!workspaceId) throw new AppError('WEBHOOK_TOKEN_INVALID');
  const pipeline = await deps.pipelines.get(workspaceId, call.id);
  const generation = pipeline ? tokenOf(pipeline).generation : 1;
  const of = { workspaceId, pipelineId: call.id, generation };
  if (!(await deps.tokens.verify(call.token, of))) throw new AppError('WEBHOOK_TOKEN_INVALID');
  if (!pipeline) throw new AppError('PIPELINE_NOT_FOUND');
  const dag = await deps.dags.get(workspaceId, pipeline.dagHash);
  if (dag.trigger?.kind !== 'webhook') throw new AppError('WEBHOOK_TRIGGER_NOT_FOUND');
  const workspace = await deps.workspace(workspaceId);
  if (!workspace || workspace.deletesAt) throw new AppError('PIPELINE_NOT_FOUND');
  await deps.checkProduct(workspace.companyId, 'pipelines', deps.now()).catch((cause: unknown) => {
    // A caller with the token alone learns nothing about the company.
    throw isProductError(cause) ? new AppError('PIPELINE_NOT_FOUND', { cause }) : cause;
  });
  try {
    return await start(deps.runs, pipeline, dag, call);
  } catch (error) {
    await recordRejection(deps.runs, pipeline, error);
    throw error;
  }
}

async function start(
  runs: RunContext,
  { workspaceId, id: pipelineId }: StoredPipeline,
  dag: Dag,
  call: Call,
): Promise<StoredRun> {
  // Removes whitespace but keeps every digit of numbers.
  const body = JSON.stringify(call.bodyText === '' ? {} : parseExactly(call.bodyText));
  if (Buffer.byteLength(body) > MAX_BODY_BYTES) throw new AppError('TRIGGER_BODY_TOO_LARGE');
  const declared = new Set((dag.parameters ?? []).map(({ name }) => name));
  return createRun(runs, {
    workspaceId,
    pipelineId,
    runId: call.runId,
    trigger: { kind: 'webhook', scheduledAt: null, upstreamRunId: null, actor: null },
    parameters: Object.fromEntries(Object.entries(call.body).filter(([name]) => declared.has(name))),
    input: { body },
    ...(call.idempotencyKey
      ? {
          occasion: {
            name: `webhook#${idFrom(call.idempotencyKey)}`,
            digest: idFrom(body),
            retentionSeconds: KEY_RETENTION_SECONDS,
          },
        }
      : {}),
  });
}

/** Rejected calls cost the caller nothing, so those of one minute and reason share one record. */
async function recordRejection(
  { table, now }: RunContext,
  { workspaceId, id: pipelineId }: StoredPipeline,
  error: unknown,
): Promise<void> {
  const rejection = rejectionOf(error);
  if (!rejection) return;
  const at = new Date(Math.floor(now().getTime() / 60_000) * 60_000).toISOString();
  const about = { at, kind: 'webhook', scheduledAt: null, upstreamRunId: null } as const;
  const place = { workspaceId, pipelineId, occasion: `refused-call#${rejection.reason}` };
  // The caller gets the rejection even if it cannot be recorded.
  await recordTrigger(table, place, { ...about, ...rejection }).catch(() => undefined);
}

function tokenOf(pipeline: StoredPipeline): { generation: number; createdAt: string } {
  return pipeline.webhookToken ?? { generation: 1, createdAt: pipeline.createdAt };
}

async function withTrigger(deps: Deps, place: { workspaceId: string; id: string }): Promise<StoredPipeline> {
  const pipeline = await deps.pipelines.get(place.workspaceId, place.id);
  if (!pipeline) throw new AppError('PIPELINE_NOT_FOUND');
  const dag = await deps.dags.get(pipeline.workspaceId, pipeline.dagHash);
  if (dag.trigger?.kind !== 'webhook') throw new AppError('WEBHOOK_TRIGGER_NOT_FOUND');
  return pipeline;
}

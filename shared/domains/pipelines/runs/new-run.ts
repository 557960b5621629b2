import type { TransactItem } from '../../../platform/storage/table.ts';
import { PLAN_VERSION } from '../definition/index.ts';
import type { RunContext, RunTrigger, StoredPipeline, StoredRun } from '../store/index.ts';
import { occasionKey, runEntryItems, startedWith, triggerRecord } from '../store/index.ts';
import { type InputClaim, type StoredTriggerInput, triggerInputItem } from '../triggers/index.ts';
import { queueItems } from './queue-entry.ts';

export interface RunRequest {
  workspaceId: string;
  pipelineId: string;
  runId: string;
  trigger: RunTrigger;
  parameters: Record<string, unknown>;
  logicalDate?: string;
  intervalStart?: string;
  intervalEnd?: string;
  /** The incremental extracts that read all rows again. */
  fullRefresh?: true | string[];
  /** Starts at most one run, however often it is reported; named like `schedule#2026-01-31T08:00:00.000Z`. */
  occasion?: Occasion;
  /** The input of the trigger. */
  input?: StoredTriggerInput;
  /** A waiting input that only this run may take. */
  claim?: InputClaim;
}

export interface Occasion {
  name: string;
  /** A digest of its input, if the same name can be reported with another input. */
  digest?: string;
  retentionSeconds: number;
}

/** How long the platform records that an instant, a file or an upstream run has started its run. */
export const OCCASION_RETENTION_SECONDS = 100 * 24 * 60 * 60;

/** The parts of a request that are stored with the run. */
export type RunExtras = Pick<RunRequest, 'occasion' | 'input' | 'claim'>;

/** A run before it is stored. */
export function newRun(
  pipeline: StoredPipeline,
  request: Omit<RunRequest, 'parameters' | keyof RunExtras> & { parameters: StoredRun['parameters'] },
  now: Date,
): StoredRun {
  const at = now.toISOString();
  return {
    id: request.runId,
    workspaceId: pipeline.workspaceId,
    pipelineId: pipeline.id,
    pipelineName: pipeline.name,
    status: 'queued',
    attempt: 1,
    trigger: request.trigger,
    parameters: request.parameters,
    dagVersion: pipeline.dagVersion,
    dagHash: pipeline.dagHash,
    planVersion: PLAN_VERSION,
    ...(pipeline.compute ? { computeSize: pipeline.compute.size } : {}),
    logicalDate: request.logicalDate ?? at,
    intervalStart: request.intervalStart ?? null,
    intervalEnd: request.intervalEnd ?? null,
    backfillId: null,
    ...(request.fullRefresh ? { fullRefresh: request.fullRefresh } : {}),
    createdAt: at,
    startedAt: null,
    finishedAt: null,
    updatedAt: at,
    executionSeconds: 0,
    rowsMoved: 0,
    bytesMoved: 0,
    error: null,
    cancelReason: null,
    seq: 1,
    isListed: true,
  };
}

/** Set on a new run that has a slot; its first event is not stored yet. */
export const STARTS_AT_ONCE = { startsAtOnce: true, seq: 0 } as const;

/** What is stored together with a new run; the occasion, if there is one, comes first. */
export function relatedItems(
  context: RunContext,
  run: StoredRun,
  { occasion, input, claim }: RunExtras,
): TransactItem[] {
  const { table } = context;
  const at = new Date(run.createdAt);
  const always = [
    ...(run.startsAtOnce ? [] : queueItems(table, run, at)),
    ...(input ? [triggerInputItem(table, run, input)] : []),
    ...(claim ? [claim.acquire] : []),
    ...recordsOf(context, run, { occasion, claim }).map((Put) => ({ Put })),
    ...runEntryItems(table, run),
  ];
  if (occasion === undefined) return always;
  return [
    {
      Put: {
        TableName: table.name,
        Item: {
          ...occasionKey(run.workspaceId, run.pipelineId, occasion.name),
          entity: 'occasion',
          runId: run.id,
          digest: occasion.digest,
          expiresAt: Math.floor(at.getTime() / 1000) + occasion.retentionSeconds,
        },
        ConditionExpression: 'attribute_not_exists(pk) OR expiresAt <= :now',
        ExpressionAttributeValues: { ':now': Math.floor(at.getTime() / 1000) },
      },
    },
    ...always,
  ];
}

/**
 * The trigger record of a run whose start no message repeats: a webhook call is received once, and the run takes its
 * waiting input away. Other occasions are messages, which are redelivered until the record is stored.
 */
export function recordsOf(
  { table }: RunContext,
  run: StoredRun,
  { occasion, claim }: Pick<RunRequest, 'occasion' | 'claim'>,
): ReturnType<typeof triggerRecord>[] {
  const { kind, upstreamRunId } = run.trigger;
  const at = claim?.at ?? (kind === 'webhook' ? run.createdAt : undefined);
  if (at === undefined || kind === 'manual' || kind === 'backfill') return [];
  const name = claim && occasion ? occasion.name : run.id;
  const about = { at, kind, scheduledAt: null, upstreamRunId };
  return [triggerRecord(table, { ...run, occasion: name }, { ...about, ...startedWith(run.id) })];
}

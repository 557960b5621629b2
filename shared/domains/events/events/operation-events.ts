import * as Type from 'typebox';
import { Id, Name, Nullable, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';
import { defineEvent, Link } from './define-event.ts';

const Failure = Type.Object({ code: Type.String(), message: Type.String() });

/** Failures and warnings of work that the platform does for a workspace. */
export const OPERATION_EVENTS = {
  'pipeline.run_failed': defineEvent('a pipeline run fails, each time that it does', {
    pipelineId: Id,
    pipelineName: Name,
    runId: Id,
    attempt: Type.Integer({ description: 'The attempt of the run that failed; a retried run can fail again.' }),
    trigger: Type.Object({ kind: Type.String() }),
    error: Nullable(Type.Object({ ...Failure.properties, stepId: Nullable(Type.String()) })),
    startedAt: Nullable(Timestamp),
    failedAt: Timestamp,
    url: Link,
    sequence: Type.Integer({
      description: 'Grows with each event of the run; ignore an event with a lower number than the last one.',
    }),
  }),

  'source.sync_failed': defineEvent('a scheduled source refresh fails', {
    sourceId: Nullable(Id),
    sourceName: Nullable(Name),
    datasetId: Nullable(Id),
    datasetName: Nullable(Name),
    jobId: Id,
    error: Failure,
    scheduledFor: Nullable(Timestamp),
    failedAt: Timestamp,
    url: Link,
  }),

  'usage.budget_exceeded': defineEvent('product usage crosses its configured budget, once per budget and month', {
    product: StringEnum(['pipelines', 'warehouse']),
    measure: StringEnum(['execution_seconds', 'storage_bytes']),
    month: Type.String({ pattern: '^\\d{4}-\\d{2}$', description: '`YYYY-MM`, UTC.' }),
    budget: Type.Number(),
    used: Type.Number(),
    hardCap: Type.Boolean({ description: 'Whether the product stops at the budget or continues at extra cost.' }),
    exceededAt: Timestamp,
    url: Link,
  }),

  'compute.queue_stuck': defineEvent('runs have been waiting for longer than they should', {
    pipelineId: Nullable(Id),
    pipelineName: Nullable(Name),
    waitingRuns: Type.Integer({ minimum: 0 }),
    waitingSince: Timestamp,
    detectedAt: Timestamp,
    url: Link,
  }),
  'compute.vm_unreachable': defineEvent('the worker of a step has crashed or lost its connection', {
    runId: Nullable(Id),
    stepId: Nullable(Type.String()),
    pipelineId: Nullable(Id),
    pipelineName: Nullable(Name),
    lastSeenAt: Nullable(Timestamp),
    detectedAt: Timestamp,
    url: Link,
  }),
  'compute.provision_failing': defineEvent('no worker can be started for a run', {
    pipelineId: Nullable(Id),
    pipelineName: Nullable(Name),
    size: Nullable(Type.String()),
    error: Failure,
    failingSince: Timestamp,
    detectedAt: Timestamp,
    url: Link,
  }),

  'cdc.stream_failing': defineEvent(
    'a CDC stream needs attention: its slot is lost, a table has stopped, the source retains too much log or is unreachable',
    {
      cdcStreamId: Id,
      streamId: Type.String(),
      sourceId: Id,
      tableName: Nullable(
        Type.String({ description: 'The table that has stopped; null if the whole stream is affected.' }),
      ),
      error: Failure,
      retainedWalBytes: Nullable(Type.Integer({ minimum: 0 })),
      detectedAt: Timestamp,
      url: Link,
    },
  ),

  'webhook.test': defineEvent('a test delivery is requested; it goes only to that webhook', {
    webhookId: Id,
    webhookName: Name,
  }),
  'webhook.disabled': defineEvent('a webhook is disabled by the platform because nothing can be delivered to it', {
    webhookId: Id,
    webhookName: Name,
    reason: StringEnum(['failing', 'gone', 'blocked']),
    disabledAt: Timestamp,
    url: Link,
  }),
} as const;

import type { ErrorTable } from '../error-kind.ts';

export const PIPELINE_ERRORS = {
  // Pipelines
  PIPELINE_NOT_FOUND: ['notFound', 'The workspace has no such pipeline. List them with GET /api/pipelines.'],
  PIPELINE_NAME_TAKEN: ['conflict', 'Another pipeline has this name. Choose a different one.'],
  PIPELINE_CHANGED: [
    'conflict',
    'The pipeline has changed since `expectedUpdatedAt`. Read it again and repeat the change.',
  ],
  PIPELINE_DAG_INVALID: [
    'unprocessable',
    'The pipeline definition is not valid. Correct every place listed in `errors`.',
  ],
  PIPELINE_SCHEDULE_INVALID: ['unprocessable', 'The schedule is not valid. Correct every place listed in `errors`.'],
  PIPELINE_HAS_ACTIVE_RUN: [
    'conflict',
    'A run of the pipeline is queued or running. Cancel it, or wait until it has ended.',
  ],
  PIPELINE_PAUSED: ['conflict', 'The pipeline is paused. Set its `status` to active first.'],
  FLOWLET_NOT_FOUND: ['notFound', 'The workspace has no such flowlet. List them with GET /api/pipelines/flowlets.'],
  FLOWLET_CHANGED: [
    'conflict',
    'The flowlet has changed since `expectedVersion`. Read it again and repeat the change.',
  ],
  FLOWLET_INVALID: ['unprocessable', 'The flowlet is not valid. Correct every place listed in `errors`.'],
  FLOWLET_ARGUMENTS_INVALID: [
    'unprocessable',
    'The arguments do not fit the flowlet. Correct every place listed in `errors`.',
  ],
  STEP_WITHOUT_PREVIEW: [
    'unprocessable',
    'The step does not exist or has no preview. Name a transform, code, route or load step of the definition.',
  ],
  NO_RUN_DATA: [
    'unprocessable',
    'No run of the last 30 days has left the rows that the step reads. Run the pipeline first.',
  ],
  PREVIEW_FAILED: ['unprocessable', 'The step failed on the rows of the last run. Correct what `errors` lists.'],
  SUGGESTION_INPUTS_INVALID: [
    'unprocessable',
    'The inputs or the current operations are not valid. Correct every place listed in `errors`.',
  ],
  OPS_NOT_SUGGESTED: [
    'unprocessable',
    'The model found no valid operations for this description. Rephrase it; `errors` lists what was wrong.',
  ],
  RUN_NOT_FOUND: ['notFound', 'The workspace has no such run. List them with GET /api/pipelines/{id}/runs.'],
  RUN_OVERLAP: [
    'conflict',
    'The pipeline already has as many runs as `maxConcurrentRuns` allows. Wait for one to end, or set `onOverlap`.',
  ],
  RUN_NOT_ACTIVE: ['conflict', 'The run is neither queued nor running. There is nothing to cancel.'],
  RUN_NOT_FAILED: ['conflict', 'The run has not failed, and only failed runs can be retried. Start a new run instead.'],
  RUN_NOT_ENDED: ['conflict', 'The run is still queued or running. Wait for its end, or cancel it first.'],
  RUN_STEP_UNKNOWN: ['invalid', 'The definition of the run has no such step. See the nearest name in `errors`.'],
  LOAD_NOT_REPEATABLE: [
    'conflict',
    'The run has begun to append the rows of a step that would be repeated, so they could be there twice. Repeat from a later step, retry without `fromStep`, or start a new run.',
  ],
  RUN_EXPIRED: ['conflict', 'The run is too old to be retried: the rows of its steps have expired. Start a new run.'],
  RUN_PARAMETERS_INVALID: ['invalid', 'The run parameters are not valid. Correct every place listed in `errors`.'],
  FULL_REFRESH_INVALID: [
    'invalid',
    'A full refresh names steps that do not read incrementally. Correct every place listed in `errors`.',
  ],
  WEBHOOK_TRIGGER_NOT_FOUND: [
    'notFound',
    'The pipeline has no webhook trigger. Add `trigger: {"kind": "webhook"}` to its definition.',
  ],
  WEBHOOK_TOKEN_INVALID: [
    'unauthenticated',
    'The token does not belong to this pipeline. Get the current URL with GET /api/pipelines/{id}/webhook.',
  ],
  TRIGGER_BODY_TOO_LARGE: [
    'tooLarge',
    'The body of the webhook trigger is larger than 256 KiB. Send a reference to the data instead.',
  ],
  STEP_LOG_NOT_FOUND: ['notFound', 'The run has no such step or attempt. See the steps of the run for their attempts.'],
  BACKFILL_WINDOW_INVALID: [
    'unprocessable',
    'The backfill window is not valid. Correct every place listed in `errors`.',
  ],
  BACKFILL_OVERLAP: ['conflict', 'A backfill in progress covers some of these dates. Wait for it, or cancel it first.'],
  BACKFILL_ACTIVE: ['tooMany', 'Another backfill of the pipeline is in progress. Wait for it, or cancel it first.'],
  BACKFILL_NOT_ACTIVE: ['conflict', 'No backfill of the pipeline is in progress. There is nothing to cancel.'],
  QUEUE_FULL: ['tooMany', 'Too many runs are already waiting. Wait until some have started, or cancel some.'],
  RATE_LIMITED: ['tooMany', 'There were too many such requests. Try again after the time in Retry-After.'],
  ALLOWANCE_EXHAUSTED: [
    'tooMany',
    'The monthly allowance of the plan is used up. Wait for the next month, or raise the allowance.',
  ],
  WORKER_UNAVAILABLE: [
    'unavailable',
    'The workers did not respond, so nothing was started. Try again after the time in Retry-After.',
  ],

  // CDC streams
  CDC_STREAM_NOT_FOUND: [
    'notFound',
    'The workspace has no such CDC stream. List them with GET /api/pipelines/cdc-streams.',
  ],
  CDC_STREAM_ID_TAKEN: [
    'conflict',
    'The data source already has a CDC stream with this `streamId`. Choose a different one.',
  ],
  CDC_STREAM_DELETING: ['conflict', 'The CDC stream is being deleted. Create a new one if you still need it.'],
  CDC_TABLE_UNKNOWN: ['unprocessable', 'The CDC stream does not follow this table. Add it to `tables` first.'],
  SOURCE_NOT_CAPTURABLE: [
    'unprocessable',
    'Only data sources of type postgres support CDC streams. Use one of that type.',
  ],
  SOURCE_NOT_READY: ['unprocessable', 'The data source is not set up for CDC. Run the SQL given in `errors` on it.'],
} as const satisfies ErrorTable;

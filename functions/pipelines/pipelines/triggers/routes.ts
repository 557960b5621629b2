import { Run } from '../../../../shared/domains/pipelines/store/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import {
  Backfill,
  CancelledBackfill,
  PipelineParams,
  StartBackfill,
  TriggerHistory,
  TriggerHistoryQuery,
  WebhookCall,
  WebhookToken,
  WebhookTrigger,
} from '../schemas.ts';

const product = 'pipelines';

export const getWebhookTrigger = defineRoute({
  operationId: 'getWebhookTrigger',
  method: 'GET',
  path: '/api/pipelines/{id}/webhook',
  summary: 'Get the trigger URL',
  description: 'The URL that starts the pipeline. Anyone who has it can start runs: treat it as a secret.',
  permission: 'pipelines:write',
  product,
  params: PipelineParams,
  success: { status: 200, body: WebhookTrigger },
  errors: ['PIPELINE_NOT_FOUND', 'WEBHOOK_TRIGGER_NOT_FOUND'],
});

export const runByWebhook = defineRoute({
  operationId: 'runByWebhook',
  method: 'POST',
  path: '/api/pipelines/{id}/webhook',
  summary: 'Start a run by URL',
  description:
    'Members of the body that are declared as parameters become their values; the whole body, at most 262,144 bytes, is `{{ trigger.body }}`. With an `Idempotency-Key` a repeated call returns the same run for 24 hours; with another body it is rejected.',
  permission: 'public',
  params: PipelineParams,
  query: WebhookToken,
  body: WebhookCall,
  anyNumbers: true,
  optionalBody: true,
  success: { status: 201, body: Run },
  errors: [
    'WEBHOOK_TOKEN_INVALID',
    'PIPELINE_NOT_FOUND',
    'WEBHOOK_TRIGGER_NOT_FOUND',
    'TRIGGER_BODY_TOO_LARGE',
    'IDEMPOTENCY_KEY_REUSED',
    'PIPELINE_PAUSED',
    'RUN_PARAMETERS_INVALID',
    'RUN_OVERLAP',
    'QUEUE_FULL',
    'RATE_LIMITED',
    'ALLOWANCE_EXHAUSTED',
    'WORKER_UNAVAILABLE',
  ],
});

export const rotateWebhookToken = defineRoute({
  operationId: 'rotateWebhookToken',
  method: 'POST',
  path: '/api/pipelines/{id}/webhook/rotate',
  summary: 'Rotate the trigger URL',
  description: 'Makes a new URL. The earlier one is rejected from now on.',
  permission: 'pipelines:write',
  product,
  params: PipelineParams,
  success: { status: 200, body: WebhookTrigger },
  errors: ['PIPELINE_NOT_FOUND', 'WEBHOOK_TRIGGER_NOT_FOUND'],
  idempotent: true,
  audit: 'pipeline.webhook_token_rotated',
});

export const startBackfill = defineRoute({
  operationId: 'startBackfill',
  method: 'POST',
  path: '/api/pipelines/{id}/backfill',
  summary: 'Start a backfill',
  description:
    'Runs the pipeline once for each day from `from` to `to`, both included, at most 366, by the time zone of its schedule. The oldest day goes first, and one slot stays free for other runs. Incremental extracts read from `intervalStart` up to `intervalEnd` and do not move the live watermark.',
  permission: 'pipelines:write',
  object: 'pipeline',
  product,
  params: PipelineParams,
  body: StartBackfill,
  success: { status: 201, body: Backfill },
  errors: [
    'PIPELINE_NOT_FOUND',
    'PIPELINE_PAUSED',
    'BACKFILL_WINDOW_INVALID',
    'BACKFILL_OVERLAP',
    'BACKFILL_ACTIVE',
    'RUN_PARAMETERS_INVALID',
    'QUEUE_FULL',
    'ALLOWANCE_EXHAUSTED',
    'WORKER_UNAVAILABLE',
  ],
  idempotent: true,
});

export const cancelBackfill = defineRoute({
  operationId: 'cancelBackfill',
  method: 'POST',
  path: '/api/pipelines/{id}/backfill/cancel',
  summary: 'Cancel a backfill',
  description:
    'Waiting days are cancelled immediately, running ones stop within seconds; other runs of the pipeline continue. Loaded rows are kept. Another backfill can start once the last day is over.',
  permission: 'pipelines:write',
  object: 'pipeline',
  product,
  params: PipelineParams,
  success: { status: 200, body: CancelledBackfill },
  errors: ['PIPELINE_NOT_FOUND', 'BACKFILL_NOT_ACTIVE'],
});

export const listTriggers = defineRoute({
  operationId: 'listTriggers',
  method: 'GET',
  path: '/api/pipelines/{id}/triggers',
  summary: 'List automatic starts',
  description:
    'Schedules, files, upstream pipelines and calls of the URL in the last 90 days, newest first, including those that started no run. Calls that were rejected for the same reason within a minute are one entry; calls with a wrong token are not recorded.',
  permission: 'pipelines:read',
  object: 'pipeline',
  product,
  params: PipelineParams,
  query: TriggerHistoryQuery,
  success: { status: 200, body: TriggerHistory },
  errors: ['PIPELINE_NOT_FOUND'],
});

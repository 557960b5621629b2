import { Run } from '../../shared/domains/pipelines/store/records.ts';
import { defineRoute } from '../../shared/platform/http/route.ts';
import {
  Backfill,
  CancelledBackfill,
  NewBackfill,
  PipelineParams,
  TriggerHistory,
  TriggerHistoryQuery,
  WebhookCall,
  WebhookToken,
  WebhookTrigger,
} from './schemas.ts';

const product = 'pipelines';

export const getWebhookTrigger = defineRoute({
  operationId: 'getWebhookTrigger',
  method: 'GET',
  path: '/api/pipelines/{id}/webhook',
  summary: 'Show the URL that starts the pipeline',
  description: 'Anyone who has the URL can start runs, so treat it as a secret.',
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
  summary: 'Start a run by the token of the webhook trigger',
  description:
    'Members of the body set the declared parameters of the same name; steps read the whole body, at most 262,144 bytes, as `{{ trigger.body }}`. With an `Idempotency-Key`, a repeated call returns the same run for 24 hours, and a call with another body is rejected.',
  permission: 'public',
  params: PipelineParams,
  query: WebhookToken,
  body: WebhookCall,
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
  summary: 'Replace the webhook URL and reject the old one',
  permission: 'pipelines:write',
  product,
  params: PipelineParams,
  success: { status: 200, body: WebhookTrigger },
  errors: ['PIPELINE_NOT_FOUND', 'WEBHOOK_TRIGGER_NOT_FOUND'],
});

export const startBackfill = defineRoute({
  operationId: 'startBackfill',
  method: 'POST',
  path: '/api/pipelines/{id}/backfill',
  summary: 'Run the pipeline once for each day of a window',
  description:
    'The window includes both dates and has at most 366 days in the time zone of the schedule. The oldest day runs first, and one slot stays free for other runs. Incremental extracts read `[intervalStart, intervalEnd)` and do not move the live watermark.',
  permission: 'pipelines:write',
  product,
  params: PipelineParams,
  body: NewBackfill,
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
  summary: 'Cancel the active backfill',
  description:
    'Queued days are cancelled at once, running ones within seconds; other runs of the pipeline continue. Data that days have loaded stays. Another backfill can start when the last day has ended.',
  permission: 'pipelines:write',
  product,
  params: PipelineParams,
  success: { status: 200, body: CancelledBackfill },
  errors: ['PIPELINE_NOT_FOUND', 'BACKFILL_NOT_ACTIVE'],
});

export const listTriggers = defineRoute({
  operationId: 'listTriggers',
  method: 'GET',
  path: '/api/pipelines/{id}/triggers',
  summary: 'List the outcomes of the triggers of a pipeline, newest first',
  description:
    'Schedules, files, upstream pipelines and webhook calls of the last 90 days, including those that started no run. Webhook calls rejected for the same reason within a minute are one entry, dated to the start of the minute; calls with a wrong token are not listed.',
  permission: 'pipelines:read',
  product,
  params: PipelineParams,
  query: TriggerHistoryQuery,
  success: { status: 200, body: TriggerHistory },
  errors: ['PIPELINE_NOT_FOUND'],
});

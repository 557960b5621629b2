import { Run } from '../../shared/domains/pipelines/index.ts';
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
  description: 'Whoever has the URL can start runs: treat it as a secret.',
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
    'Members of the body that are declared parameters are bound to them; the whole body is `{{ trigger.body }}`; it has 262,144 bytes at most. With an `Idempotency-Key` a repeated call answers with the same run for 24 hours, and one with another body is refused.',
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
  summary: 'Make a new URL; the earlier one is refused from now on',
  permission: 'pipelines:write',
  product,
  params: PipelineParams,
  success: { status: 200, body: WebhookTrigger },
  errors: ['PIPELINE_NOT_FOUND', 'WEBHOOK_TRIGGER_NOT_FOUND'],
  idempotent: true,
});

export const startBackfill = defineRoute({
  operationId: 'startBackfill',
  method: 'POST',
  path: '/api/pipelines/{id}/backfill',
  summary: 'Run the pipeline once for each day of a window',
  description:
    'Both dates are included, at most 366 days, counted by the clock of the schedule. The oldest day goes first, and one slot is left to other runs. Incremental extracts read `[intervalStart, intervalEnd)` and leave the live watermark alone.',
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
  summary: 'Cancel the backfill that is at work',
  description:
    'Its days that wait are cancelled at once, those at work within seconds; other runs of the pipeline go on. What days have loaded already stays. Another backfill may start when the last day is over.',
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
  summary: 'What became of the occasions on which the pipeline was to start, newest first',
  description:
    'Schedules, files, upstream pipelines and webhook calls of the last 90 days, those that started no run too. Webhook calls of a minute that were refused for the same reason are one entry, of its beginning; calls with a wrong token are none.',
  permission: 'pipelines:read',
  product,
  params: PipelineParams,
  query: TriggerHistoryQuery,
  success: { status: 200, body: TriggerHistory },
  errors: ['PIPELINE_NOT_FOUND'],
});

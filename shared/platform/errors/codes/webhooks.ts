import type { ErrorTable } from '../error-kind.ts';

export const WEBHOOK_ERRORS = {
  TOO_MANY_WEBHOOKS: ['conflict', 'The workspace already has 200 webhooks. Delete one first.'],
  WEBHOOK_NOT_FOUND: ['notFound', 'The workspace has no such webhook. List them with GET /api/webhooks.'],
  WEBHOOK_DISABLED: ['conflict', 'The webhook is disabled. Enable it first.'],
  DELIVERY_NOT_FOUND: [
    'notFound',
    'There is no such delivery, or it has expired after 30 days. List them with GET /api/webhooks/{id}/deliveries.',
  ],
  DELIVERY_UNDER_WAY: [
    'conflict',
    'The delivery is still in progress. Wait until it has been delivered or has failed.',
  ],
  REPLAY_TOO_LARGE: ['unprocessable', 'More than 10,000 deliveries fall into this period. Replay shorter periods.'],
  TOO_MANY_REDELIVERIES: [
    'tooMany',
    'Too many redeliveries were requested in this minute. Try again after the time in Retry-After.',
  ],
} as const satisfies ErrorTable;

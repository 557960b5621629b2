import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS, page } from '../../platform/example-values.ts';
import type * as routes from './routes.ts';

const webhook = {
  id: IDS.webhook,
  workspaceId: IDS.workspace,
  name: 'Operations',
  url: 'https://hooks.example.com/analytics',
  kind: 'generic',
  events: ['pipeline.run_failed', 'webhook.disabled'],
  headers: { 'X-Team': '******' },
  hasSecret: true,
  enabled: true,
  disabledReason: null,
  disabledAt: null,
  consecutiveFailures: 0,
  lastDeliveryAt: CHANGED_AT,
  createdBy: IDS.user,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  revision: 1,
};

const delivery = {
  id: IDS.delivery,
  webhookId: IDS.webhook,
  event: 'pipeline.run_failed',
  status: 'failed',
  attempts: 5,
  maxAttempts: 5,
  lastError: 'the receiver answered 500',
  errorCode: 'ATTEMPTS_EXHAUSTED',
  responseStatus: 500,
  nextRetryAt: null,
  deliveredAt: null,
  createdAt: CHANGED_AT,
  isTest: false,
};

export const examples: ExamplesOf<typeof routes> = {
  createWebhook: {
    request: {
      name: 'Operations',
      url: 'https://hooks.example.com/analytics',
      kind: 'generic',
      events: ['pipeline.run_failed', 'webhook.disabled'],
      headers: { 'X-Team': 'data' },
      generateSecret: true,
    },
    reply: { ...webhook, lastDeliveryAt: null, secret: 'whsec_TBWe6lM8HLuvap0eLHg3ChAI0QXmShLt5ltPT2SOP94=' },
  },
  listWebhooks: { reply: page([webhook]) },
  getWebhook: { reply: webhook },
  updateWebhook: {
    request: { enabled: false },
    reply: { ...webhook, enabled: false, disabledReason: 'manual', disabledAt: CHANGED_AT, revision: 2 },
  },
  deleteWebhook: {},
  testWebhook: {
    reply: {
      event: 'webhook.test',
      timestamp: CHANGED_AT,
      data: { workspaceId: IDS.workspace, webhookId: IDS.webhook, webhookName: 'Operations' },
    },
  },
  listDeliveries: { reply: page([delivery]) },
  getDelivery: {
    reply: {
      ...delivery,
      status: 'retrying',
      attempts: 1,
      errorCode: null,
      nextRetryAt: '2026-02-03T16:45:13.000Z',
      body: '{"event":"webhook.disabled","timestamp":"2026-02-03T16:40:12.110Z","data":{"reason":"gone"}}',
      attemptDetails: [
        {
          number: 1,
          at: '2026-02-03T16:40:12.480Z',
          durationMs: 212,
          responseStatus: 500,
          error: 'the receiver answered 500',
          reply: '{"error":"out of memory"}',
        },
      ],
    },
  },
  redeliver: { reply: { ...delivery, status: 'pending', maxAttempts: 10, errorCode: null } },
  replay: {
    request: { from: '2026-02-03T16:00:00.000Z', to: '2026-02-03T17:00:00.000Z' },
    reply: { from: '2026-02-03T16:00:00.000Z', to: '2026-02-03T17:00:00.000Z', deliveries: 12 },
  },
};

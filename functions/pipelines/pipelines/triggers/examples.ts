import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS } from '../../../platform/example-values.ts';
import { queuedRun } from '../../common/example-run.ts';
import type * as routes from './routes.ts';

const trigger = {
  url: `https://analytics.example.com/api/pipelines/${IDS.pipeline}/webhook?token=AaIFR0L3eB`,
  method: 'POST',
  tokenCreatedAt: CREATED_AT,
};

const [firstDay, secondDay] = ['019b2cc3-4b30-8727-9382-9767fa4f91f7', '019b2cc3-4b31-8c80-bf13-bcc76ad41a9b'];
const backfill = { backfillId: IDS.backfill, from: '2026-01-01', to: '2026-01-02' };

export const examples: ExamplesOf<typeof routes> = {
  getWebhookTrigger: { reply: trigger },
  runByWebhook: {
    request: { region: 'eu', urgent: true },
    reply: {
      ...queuedRun,
      parameters: { region: 'eu' },
      trigger: { kind: 'webhook', scheduledAt: null, upstreamRunId: null, actor: null },
    },
  },
  rotateWebhookToken: { reply: { ...trigger, tokenCreatedAt: CHANGED_AT } },
  startBackfill: {
    request: { from: '2026-01-01', to: '2026-01-02' },
    reply: {
      ...backfill,
      created: 2,
      skipped: [],
      runs: [
        { id: firstDay, date: '2026-01-01', status: 'queued' },
        { id: secondDay, date: '2026-01-02', status: 'queued' },
      ],
    },
  },
  cancelBackfill: {
    reply: {
      ...backfill,
      runs: [
        { id: firstDay, date: '2026-01-01', status: 'succeeded' },
        { id: secondDay, date: '2026-01-02', status: 'cancelled' },
      ],
    },
  },
  listTriggers: {
    reply: {
      items: [
        {
          at: '2026-02-03T01:30:00.000Z',
          kind: 'schedule',
          scheduledAt: '2026-02-03T01:30:00.000Z',
          upstreamRunId: null,
          outcome: 'skipped',
          reason: 'RUN_OVERLAP',
          runId: null,
          activeRunIds: [IDS.run],
        },
      ],
    },
  },
};

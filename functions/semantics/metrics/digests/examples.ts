import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS, page } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const definition = {
  name: 'Monday numbers',
  metricIds: [IDS.metric],
  cron: '0 8 * * 1',
  timezone: 'Europe/Berlin',
  recipientIds: [IDS.user, IDS.colleague],
  isActive: true,
};

const digest = {
  id: IDS.digest,
  workspaceId: IDS.workspace,
  ...definition,
  ownerId: IDS.user,
  status: 'active',
  stopReason: null,
  nextAt: '2026-02-09T07:00:00.000Z',
  createdBy: IDS.user,
  updatedBy: IDS.user,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  revision: 1,
};

const run = {
  id: IDS.digestRun,
  digestId: IDS.digest,
  status: 'queued',
  reason: null,
  trigger: { kind: 'manual', scheduledAt: null, actor: IDS.user },
  recipientCount: 2,
  createdAt: CHANGED_AT,
  finishedAt: null,
};

export const examples: ExamplesOf<typeof routes> = {
  listDigests: { reply: page([digest]) },
  createDigest: { request: definition, reply: digest },
  getDigest: { reply: digest },
  updateDigest: {
    request: { isActive: false },
    reply: { ...digest, isActive: false, status: 'paused', nextAt: null, updatedAt: CHANGED_AT, revision: 2 },
  },
  deleteDigest: {},
  sendDigest: { reply: run },
  listDigestRuns: { reply: { items: [run] } },
  getDigestRun: {
    reply: {
      ...run,
      status: 'sent',
      finishedAt: CHANGED_AT,
      mails: [
        { userId: IDS.user, status: 'sent', reason: null, leftOutCount: 0, sentAt: CHANGED_AT },
        { userId: IDS.colleague, status: 'skipped', reason: 'NOT_A_MEMBER', leftOutCount: 0, sentAt: null },
      ],
    },
  },
  getUnsubscribePage: {},
  unsubscribeFromDigest: { request: { 'List-Unsubscribe': 'One-Click' } },
};

import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS } from '../../platform/example-values.ts';
import type * as routes from './routes.ts';

const entry = {
  id: '019b2cf0-51c4-7a3d-9e27-3b4c5d6e7f18',
  at: CHANGED_AT,
  workspaceId: IDS.workspace,
  action: 'member.updated',
  actor: { type: 'user', id: IDS.user, name: 'Ada Lovelace', email: 'ada@example.com' },
  object: { type: 'member', id: IDS.colleague, name: 'Grace Hopper <grace@example.com>' },
  before: { role: 'viewer' },
  after: { role: 'editor' },
  address: '203.0.113.7',
  userAgent: 'curl/8.9.1',
  requestId: '3f1b0c9d-0c55-4d0e-8f0a-6a1d2c3b4e5f',
};

const settings = { retentionDays: 730, updatedBy: IDS.user, updatedAt: CHANGED_AT, revision: 2 };

export const examples: ExamplesOf<typeof routes> = {
  listAuditLog: { reply: { items: [entry], nextCursor: null } },
  exportAuditLog: {
    reply: {
      downloadUrl: 'https://bucket.s3.eu-central-1.amazonaws.com/results/audit-log.ndjson?X-Amz-Signature=6f2a',
      expiresAt: CREATED_AT,
      bytes: 51_204,
      contentType: 'application/x-ndjson',
      entries: 96,
      nextCursor: null,
    },
  },
  getAuditSettings: { reply: settings },
  putAuditSettings: { request: { retentionDays: 730 }, reply: settings },
};

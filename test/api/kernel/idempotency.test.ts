import { createHash } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { workspaceKey } from '../../../shared/platform/storage/keys.ts';
import { it } from '../../support/api.ts';
import { ROUTES, somePath } from '../../support/samples.ts';

/** A body that passes the declaration of each route which accepts an idempotency key. */
const BODIES: Record<string, unknown> = {
  createWorkspace: { name: 'x' },
  createDataSource: { name: 'x', type: 'file' },
  createWebhook: { name: 'x', url: 'https://example.com/', kind: 'generic', events: [] },
  createPipeline: {
    name: 'x',
    dag: { version: 1, steps: [{ id: 'a', type: 'transform_sql', config: { sql: 'SELECT 1 AS a' } }] },
  },
  runPipeline: {},
  createSavedQuery: { name: 'x', sql: 'SELECT 1' },
  startQueryJob: { sql: 'SELECT 1' },
  startBackfill: { from: '2026-01-01', to: '2026-01-02' },
  createDataset: { name: 'x' },
  refreshDataset: undefined,
  restoreDatasetVersion: undefined,
  saveFlowlet: {
    name: 'x',
    inputs: [{ name: 'rows', columns: [{ name: 'a', type: 'integer' }] }],
    ops: [{ op: 'limit', n: 1 }],
  },
  syncDataSource: undefined,
  createCdcStream: { sourceId: '00000000-0000-7000-8000-000000000000', streamId: 'x', tables: ['x'] },
};

describe('idempotency keys', () => {
  it('tells whoever repeats a request that is still being processed, and refuses the key for another request', async ({
    api,
  }) => {
    const userId = (await api.as('owner').get('/api/auth/me')).body.user.id;
    const routes = ROUTES.filter((route) => route.idempotent);
    expect(Object.keys(BODIES).sort()).toEqual(routes.map((route) => route.operationId).sort());
    for (const route of routes) {
      const key = crypto.randomUUID();
      const path = somePath(route);
      const text = JSON.stringify(BODIES[route.operationId]);
      const Item = {
        ...workspaceKey(api.workspaceId, 'IDEMPOTENCY', `${userId}#${route.operationId}#${key}`),
        digest: createHash('sha256')
          .update(JSON.stringify([path, null, text]))
          .digest('hex'),
        newId: crypto.randomUUID(),
        leaseUntil: Date.now() + 20_000,
        expiresAt: Math.floor(Date.now() / 1000) + 3600,
      };
      await api.table.db.send(new PutCommand({ TableName: api.table.name, Item }));
      const reply = await api.as('owner').send(route.method, path, { text, headers: { 'idempotency-key': key } });
      expect(reply, route.operationId).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_IN_PROGRESS' } });
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);

      await api.table.db.send(
        new PutCommand({ TableName: api.table.name, Item: { ...Item, digest: 'of another body' } }),
      );
      expect(
        await api.as('owner').send(route.method, path, { text, headers: { 'idempotency-key': key } }),
        route.operationId,
      ).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    }
  });
});

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { it } from '../../../support/api.ts';

describe('entitlements and usage', () => {
  it('describes what the company is licensed for', async ({ api }) => {
    expect((await api.as('viewer').get('/api/entitlements')).body).toEqual({
      bi: { tier: 'team' },
      pipelines: { licensed: true },
      warehouse: { licensed: true },
      trialGrants: {},
      availability: { pipelines: true, warehouse: true },
    });
  });

  it('sums the month from the counters of this workspace alone', async ({ api }) => {
    const month = new Date().toISOString().slice(0, 7);
    for (const [day, seconds] of [
      ['DAY#01', 1.5],
      ['DAY#02', 2],
    ] as const) {
      const Item = {
        ...workspaceKey(api.workspaceId, `USAGE#${month}`, day),
        execution_seconds: seconds,
        rows_moved: 10,
        bytes_moved: 100,
        runs: 1,
      };
      await api.table.db.send(new PutCommand({ TableName: api.table.name, Item }));
    }
    const usage = (await api.as('owner').get('/api/usage/products')).body;
    expect(usage).toMatchObject({
      month,
      workspace_id: api.workspaceId,
      products: {
        pipelines: {
          licensed: true,
          planKey: 'self-hosted',
          allowance: { execution_hours: null, execution_seconds: null },
          currentPeriod: { execution_seconds: 3.5, rows_moved: 20, bytes_moved: 200, runs: 2 },
        },
        warehouse: { currentPeriod: { storage_bytes: 0, storage_bytes_current: 0, datasets: 0 } },
      },
    });
    const theirs = (await api.as('stranger').get('/api/usage/products')).body;
    expect(theirs.products.pipelines.currentPeriod.runs).toBe(0);
  });
});

import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';

it('lets a workspace have five query jobs at a time, and another one its own', async ({ api }) => {
  for (let job = 1; job <= 5; job += 1) {
    const Item = {
      ...workspaceKey(api.workspaceId, 'ACTIVE-JOB', `query#${job}`),
      entity: 'active-job',
      jobId: `${job}`,
    };
    await api.table.db.send(new PutCommand({ TableName: api.table.name, Item }));
  }
  const reply = await api.as('editor').post('/api/query/jobs', { sql: 'SELECT 1 AS one' });
  expect(reply).toMatchObject({ status: 429, body: { code: 'TOO_MANY_QUERY_JOBS' } });
  expect(reply.headers.get('retry-after')).toBe('10');
  expect((await api.as('stranger').post('/api/query/jobs', { sql: 'SELECT 1 AS one' })).status).toBe(202);
});

it('lets a workspace have a hundred secrets', async ({ api }) => {
  const put = (name: string) => api.as('owner').put(`/api/secrets/${name}`, { value: 'x' });
  expect((await put('first')).status).toBe(200);
  const total = { pk: `W#${api.workspaceId}#SECRET`, sk: '#TOTAL' };
  await api.table.db.send(new UpdateCommand(updateOf(api.table, total, { set: { count: 100 } })));
  expect(await put('one_more')).toMatchObject({ status: 409, body: { code: 'TOO_MANY_SECRETS' } });
  expect((await put('first')).body.revision).toBe(2);
  await api.as('owner').delete('/api/secrets/first');
  expect((await put('one_more')).status).toBe(200);
});

it('lets a workspace have a thousand data-quality tests', async ({ api }) => {
  await givenDataset(api, { name: 'orders', sql: 'SELECT 1 AS id' });
  const body = {
    name: 'Rows',
    testType: 'row_count',
    targetType: 'source_table',
    tableName: 'orders',
    config: { min: 1 },
  };
  const total = { pk: `W#${api.workspaceId}#QUALITY-TEST`, sk: '#TOTAL' };
  const have = (count: number) => api.table.db.send(new UpdateCommand(updateOf(api.table, total, { set: { count } })));
  const create = () => api.as('editor').post('/api/data-quality/tests', body);
  await have(1000);
  expect(await create()).toMatchObject({ status: 409, body: { code: 'TOO_MANY_QUALITY_TESTS' } });
  await have(999);
  expect((await create()).status).toBe(201);
});

it('lets a workspace have a thousand schedules of scans', async ({ api }) => {
  const total = { pk: `W#${api.workspaceId}#QUALITY-SCAN-SCHEDULE`, sk: '#TOTAL' };
  await api.table.db.send(new UpdateCommand(updateOf(api.table, total, { set: { count: 1000 } })));
  const created = await api
    .as('editor')
    .post('/api/data-quality/scan-schedules', { tableName: 'orders', scheduleCron: '@daily' });
  expect(created).toMatchObject({ status: 409, body: { code: 'TOO_MANY_SCAN_SCHEDULES' } });
});

it('lets a workspace have two hundred webhooks', async ({ api }) => {
  const webhook = { name: 'one', url: 'http://127.0.0.1:9999/', kind: 'generic', events: ['*'] };
  const first = await api.as('editor').post('/api/webhooks', webhook);
  expect(first.status).toBe(201);
  const total = { pk: `W#${api.workspaceId}#WEBHOOK`, sk: '#TOTAL' };
  await api.table.db.send(new UpdateCommand(updateOf(api.table, total, { set: { count: 200 } })));
  expect(await api.as('editor').post('/api/webhooks', webhook)).toMatchObject({
    status: 409,
    body: { code: 'TOO_MANY_WEBHOOKS' },
  });
  await api.as('editor').delete(`/api/webhooks/${first.body.id}`);
  expect((await api.as('editor').post('/api/webhooks', webhook)).status).toBe(201);
});

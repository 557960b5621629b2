import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { workspaceRecordKey } from '../../../shared/domains/tenancy/workspaces/keys.ts';
import { companyKey } from '../../../shared/platform/storage/keys.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

it('fails a step that would begin after the allowance is used up, and does not try it again', async () => {
  const companyId = '00000000-0000-7000-8000-00000000c0de';
  const put = (Item: Record<string, unknown>) =>
    setup.context.table.db.send(new PutCommand({ TableName: 'table', Item }));
  const pipeline = await setup.pipeline({
    version: 1,
    steps: [
      { id: 'a', type: 'transform_sql', config: { sql: 'SELECT 1 AS x' }, retry: { maxAttempts: 5 } },
      { id: 'b', type: 'transform_sql', config: { sql: 'SELECT * FROM a' }, dependsOn: ['a'] },
    ],
  });
  const run = await setup.run(pipeline);
  await put({ ...workspaceRecordKey(setup.workspaceId), companyId });
  await put({
    ...companyKey(companyId, 'ENTITLEMENT#PLAN#pipelines'),
    product: 'pipelines',
    planKey: 'tiny',
    overageOptIn: false,
    draft: false,
    allowance: 0,
  });
  await setup.drain();
  expect(await setup.stored(run.id)).toMatchObject({ status: 'failed', error: { code: 'ALLOWANCE_EXHAUSTED' } });
  expect(await setup.steps(run.id)).toMatchObject([
    { stepId: 'a', status: 'failed', attempt: 1 },
    { stepId: 'b', status: 'skipped', attempt: 0 },
  ]);
});

it('starts nothing in a workspace that was erased', async () => {
  const { workspaceId, context } = setup;
  const pipeline = await setup.pipeline({
    version: 1,
    steps: [{ id: 'a', type: 'transform_sql', config: { sql: 'SELECT 1 AS x' } }],
  });
  await context.table.db.send(new DeleteCommand({ TableName: 'table', Key: workspaceRecordKey(workspaceId) }));
  await expect(setup.run(pipeline)).rejects.toMatchObject({ code: 'WORKSPACE_DELETED' });
});

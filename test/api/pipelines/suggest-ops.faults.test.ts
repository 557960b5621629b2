import { DeleteParameterCommand } from '@aws-sdk/client-ssm';
import { expect } from 'vitest';
import { operatorClients, storeAiKey } from '../../../infra/operator.ts';
import { it } from '../../support/api.ts';
import { AI_KEY } from '../../support/local-deployment.ts';
import { dagOf, finishedRun, sql } from './given.ts';

const PARAMETER = '/analytics/ai-key';

it('suggests no operations while the deployment has no key for its provider', async ({ api, onTestFinished }) => {
  const { pipeline } = await finishedRun(api, dagOf(sql('src', 'SELECT 1 AS id')));
  const clients = operatorClients(api.endpoint);
  await clients.ssm.send(new DeleteParameterCommand({ Name: PARAMETER }));
  onTestFinished(() => storeAiKey(clients, PARAMETER, AI_KEY));
  const wish = { description: 'Keep the first row.', upstreamIds: ['src'] };
  expect(await api.as('editor').post(`/api/pipelines/${pipeline.id}/suggest-ops`, wish)).toMatchObject({
    status: 503,
    body: { code: 'AI_NOT_CONFIGURED' },
  });
});

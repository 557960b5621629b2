import { DeleteFunctionConcurrencyCommand, PutFunctionConcurrencyCommand } from '@aws-sdk/client-lambda';
import { expect } from 'vitest';
import { operatorClients } from '../../../../infra/operator.ts';
import { it } from '../../../support/api.ts';

const FunctionName = 'AnalyticsRuntime-saved-queries';

it('replies 503 and when to come back while no function can be called', async ({ api, onTestFinished }) => {
  const { lambda } = operatorClients(api.endpoint);
  await lambda.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions: 0 }));
  onTestFinished(async () => void (await lambda.send(new DeleteFunctionConcurrencyCommand({ FunctionName }))));
  const reply = await api.as('viewer').get('/api/saved-queries');
  expect(reply).toMatchObject({ status: 503, body: { code: 'SERVICE_BUSY', status: 503 } });
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
});

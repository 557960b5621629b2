import { paginateListFunctions, UpdateFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { DeleteParameterCommand } from '@aws-sdk/client-ssm';
import { expect } from 'vitest';
import { operatorClients, storeAiKey } from '../../../infra/operator.ts';
import { AI_KEY } from '../../support/ai-provider.ts';
import { it } from '../../support/api.ts';
import { dagOf, finishedRun, sql } from './given.ts';

const PARAMETER = '/analytics/ai-key';

it('suggests no operations while the deployment has no key for its provider', async ({ api, onTestFinished }) => {
  const { pipeline } = await finishedRun(api, dagOf(sql('src', 'SELECT 1 AS id')));
  const clients = operatorClients(api.endpoint);
  await clients.ssm.send(new DeleteParameterCommand({ Name: PARAMETER }));
  onTestFinished(() => storeAiKey(clients, PARAMETER, AI_KEY));
  // A server of one's own needs none.
  const { name, variables } = await askingFunction(clients.lambda);
  const configure = (Variables: Record<string, string>) =>
    clients.lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName: name, Environment: { Variables } }));
  const { AI_BASE_URL: _, ...others } = variables;
  await configure(others);
  onTestFinished(async () => void (await configure(variables)));
  const wish = { description: 'Keep the first row.', upstreamIds: ['src'] };
  expect(await api.as('editor').post(`/api/pipelines/${pipeline.id}/suggest-ops`, wish)).toMatchObject({
    status: 503,
    body: { code: 'AI_NOT_CONFIGURED' },
  });
});

async function askingFunction(client: ReturnType<typeof operatorClients>['lambda']) {
  for await (const { Functions = [] } of paginateListFunctions({ client }, {})) {
    const found = Functions.find(({ Environment }) => Environment?.Variables?.AI_PROVIDER !== undefined);
    if (found) return { name: found.FunctionName!, variables: found.Environment!.Variables! };
  }
  throw new Error('no function asks an AI provider');
}

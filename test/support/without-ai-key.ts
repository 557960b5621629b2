import { paginateListFunctions, UpdateFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { DeleteParameterCommand } from '@aws-sdk/client-ssm';
import { operatorClients, storeAiKey } from '../../infra/operator.ts';
import { AI_KEY } from './ai-provider.ts';
import type { Api } from './api.ts';

const PARAMETER = '/analytics/ai-key';

/** Takes the key for its AI provider from the deployment until the test is over. */
export async function withoutAiKey(api: Api, onTestFinished: (undo: () => Promise<void>) => void): Promise<void> {
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
}

async function askingFunction(client: ReturnType<typeof operatorClients>['lambda']) {
  for await (const { Functions = [] } of paginateListFunctions({ client }, {})) {
    const found = Functions.find(({ Environment }) => Environment?.Variables?.AI_PROVIDER !== undefined);
    if (found) return { name: found.FunctionName!, variables: found.Environment!.Variables! };
  }
  throw new Error('no function asks an AI provider');
}

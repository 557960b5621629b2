import { InvokeCommand, LambdaClient, paginateListFunctions } from '@aws-sdk/client-lambda';
import { describe, expect } from 'vitest';
import { it, LOCAL } from '../../../support/api.ts';

describe('the engine', () => {
  it('can be started before a question needs it', async ({ api }) => {
    const lambda = new LambdaClient({ endpoint: api.endpoint, ...LOCAL });
    const pages = await Array.fromAsync(paginateListFunctions({ client: lambda }, {}));
    const { FunctionName } = pages
      .flatMap(({ Functions = [] }) => Functions)
      .find((each) => each.FunctionName!.endsWith('-engine'))!;
    const Payload = Buffer.from(JSON.stringify({ op: 'start' }));
    const reply = await lambda.send(new InvokeCommand({ FunctionName, Payload }));
    expect(reply.FunctionError).toBeUndefined();
    expect(JSON.parse(Buffer.from(reply.Payload!).toString())).toEqual({ ok: true, answer: {} });
  });
});

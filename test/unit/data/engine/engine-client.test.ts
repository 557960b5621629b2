import type { LambdaClient } from '@aws-sdk/client-lambda';
import { expect, it } from 'vitest';
import { engineFunction, startEngine } from '../../../../shared/domains/engine/index.ts';

const QUERY = { sql: 'SELECT 1', params: [], tables: [], limit: 1, maxBytes: 1, timeoutMs: 1 };

const ENDS = [
  ['Runtime.OutOfMemory', 'RequestId: r Error: Runtime exited with error: signal: killed', 'QUERY_TOO_HEAVY'],
  [
    'Runtime.ExitError',
    'RequestId: r Error: Runtime exited with error: signal: user defined signal 2',
    'QUERY_TOO_HEAVY',
  ],
  ['Runtime.ExitError', 'RequestId: r Error: Runtime exited with error: signal: killed', 'QUERY_TIMEOUT'],
  ['Sandbox.Timedout', 'RequestId: r Error: Task timed out after 28.00 seconds', 'QUERY_TIMEOUT'],
];

it.each(ENDS)('a function that ends with %s (%s) is reported as %s', async (errorType, errorMessage, code) => {
  const Payload = Buffer.from(JSON.stringify({ errorType, errorMessage }));
  const lambda = { send: async () => ({ FunctionError: 'Unhandled', Payload }) } as unknown as LambdaClient;
  await expect(engineFunction('engine', lambda).query(QUERY)).rejects.toMatchObject({ code });
});

it('an error that the function throws is not reported as an error of the query', async () => {
  const Payload = Buffer.from(JSON.stringify({ errorType: 'TypeError', errorMessage: 'x is undefined' }));
  const lambda = { send: async () => ({ FunctionError: 'Unhandled', Payload }) } as unknown as LambdaClient;
  await expect(engineFunction('engine', lambda).query(QUERY)).rejects.toThrow('the engine function failed');
});

it('the engine is started without waiting for it, and an error does not matter', async () => {
  const sent: { FunctionName?: string; Payload?: Uint8Array }[] = [];
  const failed = Promise.reject(new Error('throttled'));
  const send = (command: { input: (typeof sent)[number] }) => {
    sent.push(command.input);
    return failed;
  };
  startEngine('engine', { send } as unknown as LambdaClient);
  expect(sent.map(({ FunctionName, Payload }) => [FunctionName, Buffer.from(Payload!).toString()])).toEqual([
    ['engine', '{"op":"start"}'],
  ]);
  await expect(failed).rejects.toThrow('throttled');
});

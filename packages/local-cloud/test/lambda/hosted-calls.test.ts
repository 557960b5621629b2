import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Front } from '../../core/front.ts';
import type { AwsRequest, LocalService } from '../../core/service.ts';
import { hostedFunctions } from '../../testing/hosted-functions.ts';
import { ROLE } from './support/cloud.ts';

const calls: AwsRequest[] = [];
const dynamoDb: LocalService = {
  signingName: 'dynamodb',
  async handle(request, response) {
    calls.push(request);
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(Buffer.from(JSON.stringify({ TableNames: [(await request.body()).toString()] })));
  },
  refuse: async () => undefined,
  close: async () => undefined,
};

async function importHandler() {
  const client = new DynamoDBClient({ maxAttempts: 1 });
  return async () => (await client.send(new ListTablesCommand({ Limit: 7 }))).TableNames;
}

const own = process.env;
const streams = [process.stdout.write, process.stderr.write] as const;
const front = new Front();
const host = hostedFunctions(new Map([['one', importHandler]]));
let variables: Record<string, string>;

beforeAll(async () => {
  front.add(dynamoDb);
  const port = await front.listen(0);
  host.open({ port, connect: () => front.connect(), callDynamoDb: (...call) => front.callDynamoDb(...call) });
  const { accessKeyId, secretAccessKey, sessionToken } = front.credentials.issue(ROLE, 'one');
  variables = {
    AWS_REGION: 'us-east-1',
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  };
});
afterAll(async () => {
  await front.close();
  process.env = own;
  [process.stdout.write, process.stderr.write] = streams;
});

const load = (changed: Record<string, string> = {}) =>
  host.load({ functionName: 'one', variables: { ...variables, ...changed }, log: () => undefined })!;

it('a hosted function calls DynamoDB as its role, without HTTP', async () => {
  const handler = await load();
  expect(await handler({}, {})).toEqual(['{"Limit":7}']);
  expect(calls.at(-1)).toMatchObject({ principal: { type: 'role', roleArn: ROLE, sessionName: 'one' } });
  expect(calls.at(-1)?.message).toBeUndefined();
});

it('a hosted function without credentials of this cloud is rejected', async () => {
  const before = calls.length;
  const handler = await load({ AWS_SESSION_TOKEN: 'made up' });
  await expect(handler({}, {})).rejects.toThrow('The security token included in the request is invalid.');
  expect(calls).toHaveLength(before);
});

it('the same client outside of hosted functions calls over HTTP', async () => {
  const client = new DynamoDBClient({
    region: 'us-east-1',
    endpoint: variables.AWS_ENDPOINT_URL!,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  expect((await client.send(new ListTablesCommand({ Limit: 8 }))).TableNames).toEqual(['{"Limit":8}']);
  expect(calls.at(-1)).toMatchObject({ principal: { type: 'root' }, verified: { principal: { type: 'root' } } });
});

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SQSClient } from '@aws-sdk/client-sqs';
import { allowEverything } from '../../../core/access/authorizer.ts';
import { ManualClock } from '../../../core/clock.ts';
import { Faults } from '../../../core/faults.ts';
import { Front } from '../../../core/front.ts';
import { createDynamoDb } from '../../../services/dynamodb/dynamodb.ts';
import { createLambda } from '../../../services/lambda/lambda.ts';
import { createLogs } from '../../../services/logs/logs.ts';
import { createSqs } from '../../../services/sqs/sqs.ts';

/** Lambda with the local cloud's real queues, table streams and logs, on a manual clock. */
export async function startRealCloud() {
  const root = mkdtempSync(join(tmpdir(), 'lambda-real-'));
  const clock = new ManualClock();
  const front = new Front();
  const endpoint = `http://127.0.0.1:${await front.listen(0)}`;
  const context = (service: string) => {
    const dataDir = join(root, service);
    mkdirSync(dataDir);
    return {
      region: 'us-east-1',
      accountId: '000000000000',
      dataDir,
      clock,
      faults: new Faults(),
      authorizer: allowEverything,
      random: Math.random,
      endpoint: () => endpoint,
      log: () => {},
    };
  };
  const sqs = createSqs(context('sqs'));
  const dynamodb = createDynamoDb(context('dynamodb'));
  const logs = createLogs(context('logs'));
  const lambda = createLambda(context('lambda'), {
    sqs,
    streams: dynamodb,
    logs,
    credentials: front.credentials,
    codeSource: async () => root,
  });
  for (const service of [sqs, dynamodb, logs, lambda]) front.add(service);
  const options = {
    region: 'us-east-1',
    endpoint,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  };
  const clients = {
    queues: new SQSClient(options),
    tables: new DynamoDBClient(options),
    functions: new LambdaClient(options),
    logs: new CloudWatchLogsClient(options),
  };
  return {
    clock,
    clients,
    /** Log events of a function that contain the term. */
    async logged(functionName: string, term: string): Promise<string[]> {
      const command = new FilterLogEventsCommand({ logGroupName: `/aws/lambda/${functionName}`, filterPattern: term });
      const { events } = await clients.logs.send(command);
      return (events ?? []).map((event) => event.message ?? '');
    },
    async close() {
      for (const service of [lambda, dynamodb, sqs, logs]) await service.close();
      for (const client of Object.values(clients)) client.destroy();
      await front.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

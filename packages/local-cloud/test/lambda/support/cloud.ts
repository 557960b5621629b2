import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateFunctionCommand,
  type CreateFunctionCommandInput,
  InvokeCommand,
  LambdaClient,
} from '@aws-sdk/client-lambda';
import { allowEverything } from '../../../core/access/authorizer.ts';
import { type Clock, systemClock } from '../../../core/clock.ts';
import { Faults } from '../../../core/faults.ts';
import { Front } from '../../../core/front.ts';
import type { FunctionHost } from '../../../services/lambda/execution/hosted-environment.ts';
import { createLambda, type Lambda, type LambdaLimits } from '../../../services/lambda/lambda.ts';
import { zip } from '../../../testing/zip.ts';
import { MemoryQueues } from './memory-queues.ts';
import { MemoryStreams } from './memory-streams.ts';

export interface TestCloud {
  lambda: Lambda;
  client: LambdaClient;
  faults: Faults;
  queues: MemoryQueues;
  streams: MemoryStreams;
  dataDir: string;
  /** Output of functions and Lambda, by log group. */
  logged: Map<string, string[]>;
  /** Creates a function from the source text of its `index.mjs`. */
  create(name: string, source: string, more?: Partial<CreateFunctionCommandInput>): Promise<void>;
  /** Invokes with a JSON event and reads the JSON answer. */
  call(name: string, event?: unknown): Promise<{ answer: unknown; functionError: string | undefined }>;
  /** Closes the service and opens it again on the same data. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export const ROLE = 'arn:aws:iam::000000000000:role/test';

/** The Lambda service behind a front of its own, with queues and streams in memory. */
export async function startCloud(
  options: { clock?: Clock; limits?: LambdaLimits; host?: FunctionHost } = {},
): Promise<TestCloud> {
  const dataDir = mkdtempSync(join(tmpdir(), 'lambda-'));
  const faults = new Faults();
  const queues = new MemoryQueues();
  const streams = new MemoryStreams();
  const logged = new Map<string, string[]>();
  const front = new Front();
  const port = await front.listen(0);
  options.host?.open({ port, connect: () => front.connect(), callDynamoDb: (...call) => front.callDynamoDb(...call) });
  const endpoint = `http://127.0.0.1:${port}`;
  const open = () => {
    const lambda = createLambda(
      {
        region: 'us-east-1',
        accountId: '000000000000',
        dataDir,
        clock: options.clock ?? systemClock,
        faults,
        authorizer: allowEverything,
        random: Math.random,
        endpoint: () => endpoint,
        log: () => {},
      },
      {
        sqs: queues,
        streams,
        logs: {
          append(group, _stream, lines) {
            const entries = logged.get(group) ?? [];
            logged.set(group, entries);
            entries.push(...lines.map((line) => line.message));
          },
        },
        credentials: front.credentials,
        codeSource: async ({ S3Key }) => join(dataDir, S3Key),
        host: options.host,
      },
      options.limits,
    );
    front.add(lambda);
    return lambda;
  };
  const client = new LambdaClient({
    region: 'us-east-1',
    endpoint,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
  const cloud: TestCloud = {
    lambda: open(),
    client,
    faults,
    queues,
    streams,
    dataDir,
    logged,
    async create(name, source, more = {}) {
      await client.send(
        new CreateFunctionCommand({
          FunctionName: name,
          Runtime: 'nodejs24.x',
          Handler: 'index.handler',
          Role: ROLE,
          Code: { ZipFile: zip({ 'index.mjs': source }) },
          ...more,
        }),
      );
    },
    async call(name, event = {}) {
      const reply = await client.send(new InvokeCommand({ FunctionName: name, Payload: JSON.stringify(event) }));
      return { answer: JSON.parse(reply.Payload?.transformToString() ?? 'null'), functionError: reply.FunctionError };
    },
    async restart() {
      await cloud.lambda.close();
      cloud.lambda = open();
    },
    async close() {
      await cloud.lambda.close();
      client.destroy();
      await front.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return cloud;
}

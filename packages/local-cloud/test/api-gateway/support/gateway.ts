import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateFunctionCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { allowEverything } from '../../../core/access/authorizer.ts';
import { type Clock, systemClock } from '../../../core/clock.ts';
import { Faults } from '../../../core/faults.ts';
import { Front } from '../../../core/front.ts';
import type { SqsPort, StreamsPort } from '../../../core/ports.ts';
import { type ApiGateway, createApiGateway } from '../../../services/api-gateway/api-gateway.ts';
import type { ApiGatewayControl } from '../../../services/api-gateway/control.ts';
import type { Integration } from '../../../services/api-gateway/model.ts';
import { createLambda } from '../../../services/lambda/lambda.ts';

const CONTEXT = { region: 'us-east-1', accountId: '000000000000', random: Math.random };

/** Answers with its event, or does what the query asks for. */
const HANDLER = `
export const handler = async (event) => {
  const ask = event.queryStringParameters ?? {};
  if (ask.answer) return JSON.parse(ask.answer);
  if (ask.fail) throw new Error('as asked');
  if (ask.hang) await new Promise(() => setInterval(() => {}, 1000));
  return { statusCode: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(event) };
};`;

const STREAMER = `
export const handler = awslambda.streamifyResponse(async (event, stream) => {
  const ask = event.queryStringParameters ?? {};
  if (ask.fail) throw new Error('as asked');
  const out = awslambda.HttpResponseStream.from(stream, { statusCode: 201, headers: { 'content-type': 'text/event-stream' } });
  for (let index = 0; index < Number(ask.chunks ?? 3); index += 1) {
    out.write('data: ' + index + '\\n\\n');
    await new Promise((resolve) => setTimeout(resolve, Number(ask.pause ?? 1)));
  }
  out.end();
});`;

export interface TestGateway {
  gateway: ApiGateway;
  control: ApiGatewayControl;
  endpoint: string;
  /** Lines of the access log. */
  accessLog: string[];
  /** Streams whose client disconnected before their end. */
  streamsAborted: number;
  restart(): Promise<void>;
  close(): Promise<void>;
}

export const API = { id: 'abcdefghij', name: 'test', rootResourceId: 'root000000', binaryMediaTypes: ['image/*'] };
type FunctionIntegration = Extract<Integration, { type: 'AWS_PROXY' }>;

export const ECHO: FunctionIntegration = {
  type: 'AWS_PROXY',
  functionName: 'echo',
  streaming: false,
  timeoutMs: 29_000,
};
export const STREAM: FunctionIntegration = {
  type: 'AWS_PROXY',
  functionName: 'stream',
  streaming: true,
  timeoutMs: 900_000,
};

/** The gateway with two real functions, `echo` and `stream`, and no API yet. */
export async function startGateway(clock: Clock = systemClock): Promise<TestGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-'));
  const front = new Front();
  const endpoint = `http://127.0.0.1:${await front.listen(0)}`;
  const accessLog: string[] = [];
  const context = (service: string, serviceClock: Clock) => {
    const dataDir = join(folder, service);
    mkdirSync(dataDir, { recursive: true });
    return {
      ...CONTEXT,
      dataDir,
      clock: serviceClock,
      faults: new Faults(),
      authorizer: allowEverything,
      endpoint: () => endpoint,
      log: () => {},
    };
  };
  const lambda = createLambda(context('lambda', systemClock), {
    sqs: {} as SqsPort,
    streams: {} as StreamsPort,
    logs: { append: () => {} },
    credentials: front.credentials,
    codeSource: async ({ S3Key }) => join(folder, S3Key),
  });
  front.add(lambda);
  const client = new LambdaClient({
    region: CONTEXT.region,
    endpoint,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  for (const [name, source] of Object.entries({ echo: HANDLER, stream: STREAMER })) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'index.mjs'), source);
    await client.send(
      new CreateFunctionCommand({
        FunctionName: name,
        Runtime: 'nodejs24.x',
        Handler: 'index.handler',
        Role: 'arn:aws:iam::000000000000:role/test',
        Timeout: 900,
        Code: { S3Bucket: 'assets', S3Key: name },
      }),
    );
  }
  client.destroy();

  const open = () =>
    createApiGateway(context('api-gateway', clock), {
      lambda: {
        invoke: (call) => lambda.invoke(call),
        invokeStreaming(call, sink) {
          sink.signal.addEventListener('abort', () => {
            test.streamsAborted += 1;
          });
          return lambda.invokeStreaming(call, sink);
        },
      },
      logs: { append: (_group, _stream, lines) => accessLog.push(...lines.map((line) => line.message)) },
    });
  const test: TestGateway = {
    gateway: open(),
    get control() {
      return test.gateway.control;
    },
    endpoint,
    accessLog,
    streamsAborted: 0,
    async restart() {
      await test.gateway.close();
      test.gateway = open();
    },
    async close() {
      await front.close();
      await test.gateway.close();
      await lambda.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  front.add({
    signingName: 'apigateway',
    handle: (request, response) => test.gateway.handle(request, response),
    refuse: (denial, request, response) => test.gateway.refuse(denial, request, response),
    close: async () => {},
  });
  front.otherwise((request, response) => test.gateway.serve(request, response));
  return test;
}

/** Creates an API with the given paths and integrations, each for any method, and serves it as the stage `api`. */
export function serve(control: ApiGatewayControl, paths: Record<string, Integration>): void {
  control.putRestApi(API);
  const ids = new Map([['', API.rootResourceId]]);
  for (const [path, integration] of Object.entries(paths)) {
    let parent = '';
    for (const pathPart of path.split('/').slice(1)) {
      const own = `${parent}/${pathPart}`;
      if (!ids.has(own)) {
        const id = `r${ids.size}`;
        control.putResource(API.id, { id, parentId: ids.get(parent) as string, pathPart });
        ids.set(own, id);
      }
      parent = own;
    }
    control.putMethod(API.id, { resourceId: ids.get(parent) as string, httpMethod: 'ANY', integration });
  }
  control.putDeployment(API.id, { id: 'first' });
  control.putStage(API.id, { name: 'api', deploymentId: 'first', variables: {} });
}

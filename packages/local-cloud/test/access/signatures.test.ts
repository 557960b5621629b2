import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { CreateFunctionCommand, InvokeCommand, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { ListBucketsCommand } from '@aws-sdk/client-s3';
import { ListSchedulesCommand } from '@aws-sdk/client-scheduler';
import { ListQueuesCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClients, destroyClients } from '../../assembly/clients.ts';
import { LocalCloud } from '../../cloud.ts';
import { Credentials } from '../../core/access/credentials.ts';
import { type PlainRequest, type SigningOptions, signedFetch, signedHeaders } from '../../testing/signed-request.ts';
import { zip } from '../../testing/zip.ts';

const ROLE = 'arn:aws:iam::000000000000:role/service-role/worker';

let folder: string;
let cloud: LocalCloud;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cloud-'));
  cloud = await LocalCloud.open({ dataDir: folder, port: 0 });
});
afterAll(async () => {
  await cloud.close();
  rmSync(folder, { recursive: true, force: true });
});

const json = (service: string, target: string): PlainRequest => ({
  ...{ service, method: 'POST', path: '/', body: '{}' },
  headers: { 'x-amz-target': target, 'content-type': 'application/x-amz-json-1.0' },
});
const rest = (service: string, path: string): PlainRequest => ({ service, method: 'GET', path });

/** A harmless call of each service. */
const calls: Record<string, PlainRequest> = {
  dynamodb: json('dynamodb', 'DynamoDB_20120810.ListTables'),
  sqs: json('sqs', 'AmazonSQS.ListQueues'),
  states: json('states', 'AWSStepFunctions.ListStateMachines'),
  events: json('events', 'AWSEvents.ListRules'),
  logs: json('logs', 'Logs_20140328.DescribeLogGroups'),
  ssm: json('ssm', 'AmazonSSM.DescribeParameters'),
  ecs: json('ecs', 'AmazonEC2ContainerServiceV20141113.ListClusters'),
  lambda: rest('lambda', '/2015-03-31/functions/?MaxItems=5&Marker=a%20b%2Bc'),
  scheduler: rest('scheduler', '/schedules'),
  apigateway: rest('apigateway', '/restapis?limit=5'),
  s3: rest('s3', '/'),
};
const services = Object.keys(calls);

async function codeOf(request: PlainRequest, options?: SigningOptions): Promise<string> {
  return reported(await signedFetch(cloud.endpoint, request, options));
}

/** `200`, or status and code of an error in the form of its service. */
async function reported(reply: Response): Promise<string> {
  const text = await reply.text();
  if (reply.ok) return '200';
  const code = reply.headers.get('x-amzn-errortype') ?? /<Code>(\w+)/.exec(text)?.[1] ?? JSON.parse(text).__type;
  return `${reply.status} ${code.replace(/^.*#/, '')}`;
}

/** The codes of services that have their own, beside those of the JSON protocols and of REST. */
function codes(own: { json: string; rest: string; sqs: string; s3: string }): Record<string, string> {
  const special: Record<string, string> = { sqs: own.sqs, s3: own.s3 };
  const isRest = (name: string) => ['lambda', 'scheduler', 'apigateway'].includes(name);
  return Object.fromEntries(services.map((name) => [name, special[name] ?? (isRest(name) ? own.rest : own.json)]));
}

async function ofEach(options?: SigningOptions, change = (request: PlainRequest) => request) {
  const entries = services.map(async (name) => [name, await codeOf(change(calls[name]!), options)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

describe('every service', () => {
  it('answers a call with a valid signature', async () => {
    expect(await ofEach()).toEqual(codes({ json: '200', rest: '200', sqs: '200', s3: '200' }));
  });

  it('rejects a wrong secret, in the form of its errors', async () => {
    expect(await ofEach({ credentials: { accessKeyId: 'local', secretAccessKey: 'guess' } })).toEqual(
      codes({
        json: '400 InvalidSignatureException',
        rest: '403 InvalidSignatureException',
        sqs: '403 SignatureDoesNotMatch',
        s3: '403 SignatureDoesNotMatch',
      }),
    );
  });

  it('rejects an unknown access key', async () => {
    expect(await ofEach({ credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'local' } })).toEqual(
      codes({
        json: '400 UnrecognizedClientException',
        rest: '403 UnrecognizedClientException',
        sqs: '403 InvalidClientTokenId',
        s3: '403 InvalidAccessKeyId',
      }),
    );
  });

  it('rejects a signature of an hour ago, and of the next hour', async () => {
    for (const offsetMs of [-3_600_000, 3_600_000]) {
      expect(await ofEach({ signedAt: new Date(Date.now() + offsetMs) })).toEqual(
        codes({
          json: '400 InvalidSignatureException',
          rest: '403 InvalidSignatureException',
          sqs: '403 SignatureDoesNotMatch',
          s3: '403 RequestTimeTooSkewed',
        }),
      );
    }
  });
});

describe('a signature', () => {
  it('covers body, path, query, method and the headers of AWS', async () => {
    const { sqs: queues, lambda: functions } = calls as Record<'sqs' | 'lambda', PlainRequest>;
    const forged: [signed: PlainRequest, sent: Partial<PlainRequest>][] = [
      [queues, { body: '{"QueueNamePrefix":"x"}' }],
      [queues, { headers: { ...queues.headers, 'x-amz-target': 'AmazonSQS.CreateQueue' } }],
      [queues, { headers: { ...queues.headers, 'x-amz-added': 'x' } }],
      [functions, { path: '/2015-03-31/functions/other' }],
      [functions, { path: '/2015-03-31/functions/?MaxItems=6&Marker=a%20b%2Bc' }],
      [functions, { method: 'DELETE' }],
    ];
    for (const [signed, change] of forged) {
      const { host: _host, ...headers } = await signedHeaders(cloud.endpoint, signed);
      const { method, path, body } = { ...signed, ...change };
      const reply = await fetch(`${cloud.endpoint}${path}`, {
        ...{ method, headers: { ...headers, ...change.headers } },
        ...(body !== undefined && method !== 'GET' && { body }),
      });
      expect(await reported(reply), JSON.stringify(change)).toMatch(
        /^40[03] (SignatureDoesNotMatch|InvalidSignatureException|IncompleteSignature)/,
      );
    }
  });

  it('must be complete', async () => {
    const { host: _host, authorization = '', ...headers } = await signedHeaders(cloud.endpoint, calls.dynamodb!);
    for (const broken of [
      authorization.replace(/, Signature=.*/, ''),
      authorization.replace('SignedHeaders=', 'Signed='),
      authorization.replace('aws4_request', 'aws5_request'),
      authorization.replace(/Credential=local\/\d+/, 'Credential=local/19700101'),
      authorization.replace(/host;/, ''),
    ]) {
      const sent = { method: 'POST', headers: { ...headers, authorization: broken }, body: '{}' };
      expect(await reported(await fetch(cloud.endpoint, sent)), broken).toBe('400 IncompleteSignatureException');
    }
  });

  it('is made alike by the SDK clients', async () => {
    const clients = createClients(cloud.endpoint, 'us-east-1');
    await clients.dynamodb.send(new ListTablesCommand({}));
    await clients.lambda.send(new ListFunctionsCommand({}));
    await clients.s3.send(new ListBucketsCommand({}));
    await clients.scheduler.send(new ListSchedulesCommand({}));
    await clients.sqs.send(new ListQueuesCommand({}));
    destroyClients(clients);
  });
});

describe('a call without a signature', () => {
  it('is rejected, whatever its query says', async () => {
    const target = { method: 'POST', headers: { 'x-amz-target': 'DynamoDB_20120810.ListTables' }, body: '{}' };
    expect(await reported(await fetch(cloud.endpoint, target))).toBe('400 MissingAuthenticationTokenException');
    const scope = 'X-Amz-Credential=local/20260101/us-east-1/lambda/aws4_request';
    const path = '/2015-03-31/functions/create-owner/invocations';
    const post = (query: string) => fetch(`${cloud.endpoint}${path}${query}`, { method: 'POST', body: '{}' });
    for (const query of ['', `?${scope}`]) expect(await reported(await post(query))).toBe('403 ForbiddenException');
    expect(await reported(await post(`?${scope}&X-Amz-Signature=0`))).toBe('400 AuthorizationQueryParametersError');
  });
});

describe('temporary credentials of a role', () => {
  const key = Buffer.alloc(32, 7);
  const at = (time: number) => new Credentials(key, () => time);
  const now = Date.UTC(2026, 0, 1, 10, 30);

  it('name the role and the session, and stay the same within the hour and after a restart', () => {
    const issued = at(now).issue(ROLE, 'job');
    expect(issued.accessKeyId).toMatch(/^ASIA[A-Z2-7]{16}$/);
    expect(at(now + 60_000).issue(ROLE, 'job')).toEqual(issued);
    expect(at(now).find(issued.accessKeyId, issued.sessionToken)).toMatchObject({
      secretAccessKey: issued.secretAccessKey,
      principal: {
        ...{ type: 'role', roleArn: ROLE, sessionName: 'job' },
        arn: 'arn:aws:sts::000000000000:assumed-role/worker/job',
      },
    });
  });

  it('differ between roles and sessions, and end', () => {
    const issued = at(now).issue(ROLE, 'job');
    const keys = [issued, at(now).issue(ROLE, 'other'), at(now).issue(`${ROLE}2`, 'job')];
    expect(new Set(keys.map(({ secretAccessKey }) => secretAccessKey)).size).toBe(3);
    const find = (time: number) => at(time).find(issued.accessKeyId, issued.sessionToken);
    expect(() => find(issued.expiresAt - 1)).not.toThrow();
    expect(() => find(issued.expiresAt)).toThrow(expect.objectContaining({ reason: 'expiredToken' }));
  });

  it('are not valid without their token, with a foreign or forged one, or from another cloud', () => {
    const credentials = at(now);
    const [mine, other] = [credentials.issue(ROLE, 'job'), credentials.issue(ROLE, 'other')];
    const [payload, mac] = mine.sessionToken.split('.') as [string, string];
    const forged = Buffer.from(JSON.stringify({ role: 'admin', name: 'x', expiresAt: now * 2 })).toString('base64url');
    for (const token of [undefined, other.sessionToken, `${forged}.${mac}`, payload, `${payload}.`, '', 'a.b.c']) {
      expect(() => credentials.find(mine.accessKeyId, token)).toThrow(
        expect.objectContaining({ reason: 'invalidToken' }),
      );
    }
    const foreign = new Credentials(Buffer.alloc(32, 8), () => now).issue(ROLE, 'job');
    expect(() => credentials.find(foreign.accessKeyId, foreign.sessionToken)).toThrow();
    expect(() => credentials.find('local', mine.sessionToken)).toThrow();
  });

  it('sign calls until the next start of the cloud and beyond', async () => {
    const { accessKeyId, secretAccessKey, sessionToken } = Credentials.openFile(join(folder, 'credentials.key')).issue(
      ROLE,
      'job',
    );
    const credentials = { accessKeyId, secretAccessKey, sessionToken };
    expect(new Set(Object.values(await ofEach({ credentials })))).toEqual(new Set(['200']));
    expect(await ofEach({ credentials: { accessKeyId, secretAccessKey } })).toEqual(
      codes({
        json: '400 UnrecognizedClientException',
        rest: '403 UnrecognizedClientException',
        sqs: '403 InvalidClientTokenId',
        s3: '400 InvalidToken',
      }),
    );
  });
});

describe('a function', () => {
  it('signs its calls as its own role', async () => {
    const clients = createClients(cloud.endpoint, 'us-east-1');
    const source = `export const handler = async () => {
      const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
      return { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY, sessionToken: AWS_SESSION_TOKEN };
    };`;
    const credentialsOf = async (FunctionName: string, Role: string) => {
      await clients.lambda.send(
        new CreateFunctionCommand({
          ...{ FunctionName, Role, Runtime: 'nodejs24.x', Handler: 'index.handler' },
          Code: { ZipFile: zip({ 'index.mjs': source }) },
        }),
      );
      const { Payload } = await clients.lambda.send(new InvokeCommand({ FunctionName }));
      return JSON.parse(Payload!.transformToString());
    };
    const first = await credentialsOf('first', ROLE);
    const second = await credentialsOf('second', `${ROLE}-2`);
    destroyClients(clients);

    const known = Credentials.openFile(join(folder, 'credentials.key'));
    const callerOf = ({ accessKeyId, sessionToken }: typeof first) => known.find(accessKeyId, sessionToken).principal;
    expect(callerOf(first)).toMatchObject({ type: 'role', roleArn: ROLE, sessionName: 'first' });
    expect(callerOf(second)).toMatchObject({ type: 'role', roleArn: `${ROLE}-2`, sessionName: 'second' });
    expect(await codeOf(calls.sqs!, { credentials: first })).toBe('200');
    const mixed = { ...first, secretAccessKey: second.secretAccessKey };
    expect(await codeOf(calls.sqs!, { credentials: mixed })).toBe('403 SignatureDoesNotMatch');
  });
});

describe('the port', () => {
  /** `fetch` sets the host itself. */
  const send = (headers: Record<string, string>, { method = 'GET', path = '/_local/health' } = {}) =>
    new Promise<number>((resolve, reject) => {
      const request = httpRequest(`${cloud.endpoint}${path}`, { method, headers }, (reply) => {
        reply.resume();
        resolve(reply.statusCode ?? 0);
      });
      request.once('error', reject);
      request.end();
    });

  it('answers to the names of this machine alone', async () => {
    const { port } = new URL(cloud.endpoint);
    for (const host of ['127.0.0.1', `127.0.0.1:${port}`, `localhost:${port}`, `bucket.localhost:${port}`, '[::1]:1']) {
      expect(await send({ host }), host).toBe(200);
    }
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '192.0.2.1',
      '127.0.0.1.evil.example',
      'localhost.evil',
    ]) {
      expect(await send({ host }), host).toBe(403);
    }
  });

  it('answers pages of other sites neither AWS calls nor its own interface', async () => {
    const call = async (origin: string) => {
      const request = { ...calls.sqs!, headers: { ...calls.sqs!.headers, origin } };
      return codeOf(request);
    };
    for (const origin of ['https://evil.example', 'http://127.0.0.1.evil.example', 'null', 'file://']) {
      expect(await call(origin), origin).toBe('403 AccessDeniedException');
      expect(await send({ origin }), origin).toBe(403);
    }
    for (const origin of ['http://localhost:5173', 'http://127.0.0.1:8080', 'https://app.localhost']) {
      expect(await call(origin), origin).toBe('200');
      expect(await send({ origin }), origin).toBe(200);
    }
  });

  it('leaves origins to the CORS rules of an API', async () => {
    const reply = await fetch(`${cloud.endpoint}/prod/items`, { headers: { origin: 'https://app.example' } });
    expect(await reply.json()).toEqual({ message: 'Forbidden' });
  });
});

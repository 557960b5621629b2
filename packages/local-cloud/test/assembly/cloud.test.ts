import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  InvokeCommand,
  LambdaClient,
  ListEventSourceMappingsCommand,
  ListFunctionsCommand,
} from '@aws-sdk/client-lambda';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LocalCloud } from '../../cloud.ts';
import { clientOptions, writeAssembly } from './support/assembly.ts';

let root: string;
let dataDir: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cloud-'));
  dataDir = join(root, 'data');
});
afterEach(async () => {
  for (const child of children.splice(0)) if (child.exitCode === null && child.signalCode === null) await kill(child);
  rmSync(root, { recursive: true, force: true });
});

/** Starts the process and resolves once it has printed `word`. */
async function untilItSays(word: string, assembly: string): Promise<ChildProcess> {
  const script = join(import.meta.dirname, 'support/deploy-process.ts');
  const child = spawn(process.execPath, [script, dataDir, assembly], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  for await (const line of createInterface({ input: child.stdout })) if (line === word) break;
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

function functionWith(S3Key: string): object {
  return {
    Type: 'AWS::Lambda::Function',
    Properties: {
      Code: { S3Bucket: 'assets', S3Key },
      Handler: 'index.handler',
      Role: 'arn:aws:iam::000000000000:role/test',
      Runtime: 'nodejs24.x',
    },
  };
}

function manyResources(): string {
  const assembly = join(root, 'assembly');
  const queues = Array.from({ length: 12 }, (_value, index) => [`Queue${index}`, { Type: 'AWS::SQS::Queue' }]);
  writeAssembly(
    assembly,
    {
      App: {
        Resources: {
          ...Object.fromEntries(queues),
          Function: functionWith('code.zip'),
          Mapping: {
            Type: 'AWS::Lambda::EventSourceMapping',
            Properties: { FunctionName: { Ref: 'Function' }, EventSourceArn: { 'Fn::GetAtt': ['Queue0', 'Arn'] } },
          },
          Parameter: { Type: 'AWS::SSM::Parameter', Properties: { Type: 'String', Value: { Ref: 'Mapping' } } },
        },
      },
    },
    { 'code.zip': { 'index.mjs': 'export const handler = async () => {};' } },
  );
  return assembly;
}

describe('a data directory', () => {
  it('belongs to one cloud at a time', async () => {
    const cloud = await LocalCloud.open({ dataDir, port: 0 });
    await expect(LocalCloud.open({ dataDir, port: 0 })).rejects.toThrow('is in use by another local cloud');
    await cloud.close();
    await (await LocalCloud.open({ dataDir, port: 0 })).close();
  });

  it('is locked against other processes, and free as soon as its holder is killed', async () => {
    const holder = await untilItSays('open', manyResources());
    await expect(LocalCloud.open({ dataDir, port: 0 })).rejects.toThrow('is in use by another local cloud');
    await kill(holder);
    await (await LocalCloud.open({ dataDir, port: 0 })).close();
  });

  it('is released when the port is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    await expect(LocalCloud.open({ dataDir, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    other.close();
    await (await LocalCloud.open({ dataDir, port: 0 })).close();
  });
});

describe('the address without a path', () => {
  it('redirects to the home of the cloud, and has none unless it is set', async () => {
    const root = async (home?: string) => {
      const cloud = await LocalCloud.open({ dataDir, port: 0, ...(home !== undefined && { home }) });
      const { status, headers } = await fetch(cloud.endpoint, { redirect: 'manual' });
      await cloud.close();
      return { status, location: headers.get('location') };
    };
    expect(await root('/prod/')).toEqual({ status: 302, location: '/prod/' });
    expect(await root()).toEqual({ status: 403, location: null });
  });
});

describe('a deployment whose process is killed', () => {
  it('is finished by the next one, with every resource created once', async () => {
    const assembly = manyResources();
    for (const delayMs of [5, 15, 30, 60, 90]) {
      const child = await untilItSays('open', assembly);
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      await kill(child);
    }
    const cloud = await LocalCloud.open({ dataDir, port: 0 });
    await cloud.deploy(assembly);
    expect((await cloud.deploy(assembly)).changed).toEqual([]);

    const sqs = new SQSClient(clientOptions(cloud));
    const lambda = new LambdaClient(clientOptions(cloud));
    expect((await sqs.send(new ListQueuesCommand({}))).QueueUrls).toHaveLength(12);
    expect((await lambda.send(new ListFunctionsCommand({}))).Functions).toHaveLength(1);
    expect((await lambda.send(new ListEventSourceMappingsCommand({}))).EventSourceMappings).toHaveLength(1);
    sqs.destroy();
    lambda.destroy();
    await cloud.close();
  });
});

describe('the code of a function', () => {
  it('is kept in the data directory, both the current and the previous one', async () => {
    const cloud = await LocalCloud.open({ dataDir, port: 0 });
    const lambda = new LambdaClient(clientOptions(cloud));
    for (const version of ['one', 'two', 'three']) {
      const assembly = join(root, version);
      const source = `export const handler = async () => '${version}';`;
      writeAssembly(
        assembly,
        { App: { Resources: { Function: functionWith(`${version}.zip`) } } },
        { [`${version}.zip`]: { 'index.mjs': source } },
      );
      await cloud.deploy(assembly);
      rmSync(assembly, { recursive: true });
      const { Payload } = await lambda.send(new InvokeCommand({ FunctionName: 'App-Function' }));
      expect(Payload?.transformToString()).toBe(`"${version}"`);
    }
    expect(readdirSync(join(dataDir, 'assets')).sort()).toEqual(['three', 'two']);
    lambda.destroy();
    await cloud.close();
  });
});

describe('the admin interface', () => {
  it('reports health and meters, and applies fault rules at once', async () => {
    const cloud = await LocalCloud.open({ dataDir, port: 0 });
    const admin = (path: string, init?: RequestInit) => fetch(`${cloud.endpoint}/_local/${path}`, init);
    const put = (rules: unknown) => admin('faults', { method: 'PUT', body: JSON.stringify(rules) });

    expect(await (await admin('health')).json()).toEqual({ status: 'ok' });
    expect(await (await admin('capacity')).json()).toMatchObject({ dynamodb: {} });
    const rules = [{ service: 'sqs', operation: 'ListQueues', effect: 'throttle', times: 1 }];
    expect(await (await put(rules)).json()).toEqual(rules);
    const sqs = new SQSClient(clientOptions(cloud));
    await expect(sqs.send(new ListQueuesCommand({}))).rejects.toThrow();
    await sqs.send(new ListQueuesCommand({}));
    expect(await (await admin('faults')).json()).toEqual([{ ...rules[0], times: 0 }]);
    sqs.destroy();

    const rejected = await put([{ service: 'sqs', effect: 'explode' }]);
    expect([rejected.status, cloud.faults.rules.length]).toEqual([400, 1]);
    expect((await put('nonsense')).status).toBe(400);
    expect((await admin('elsewhere')).status).toBe(404);
    await cloud.close();
  });

  it('answers requests for unknown services with an error that names them', async () => {
    const cloud = await LocalCloud.open({ dataDir, port: 0 });
    const reply = await fetch(cloud.endpoint, {
      method: 'POST',
      headers: { authorization: 'AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/ec2/aws4_request, Signature=b' },
    });
    expect(await reply.json()).toMatchObject({
      __type: 'UnsupportedOperationException',
      message: 'The local cloud does not support this service (ec2).',
    });
    await cloud.close();
  });
});

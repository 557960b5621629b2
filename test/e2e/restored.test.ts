import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteObjectCommand,
  ListObjectsV2Command,
  PutBucketNotificationConfigurationCommand,
  PutBucketVersioningCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assemblyOf } from '../../infra/assembly.ts';
import { clientConfigOf } from '../../infra/operator.ts';
import type { Credentials } from '../../infra/seed.ts';
import type { LocalCloud } from '../../packages/local-cloud/index.ts';
import { call } from '../support/http.ts';
import { platformSettings } from '../support/platform-settings.ts';
import { SETUP_TIMEOUT_MS } from '../support/setup/ask.ts';
import { openPlatform } from './open-platform.ts';

const folder = mkdtempSync(join(tmpdir(), 'analytics-restored-'));
let cloud: LocalCloud;
let credentials: Credentials;
let receiver: Server;
let tables: DynamoDBClient;
let objects: S3Client;
const received: string[] = [];

beforeAll(async () => {
  ({ cloud, credentials } = await openPlatform(join(folder, 'data')));
  tables = new DynamoDBClient(clientConfigOf(cloud.endpoint));
  objects = new S3Client({ ...clientConfigOf(cloud.endpoint), forcePathStyle: true });
  receiver = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push(JSON.parse(body).event);
    response.end();
  });
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
}, SETUP_TIMEOUT_MS);

afterAll(async () => {
  tables.destroy();
  objects.destroy();
  receiver.closeAllConnections();
  receiver.close();
  await cloud.close();
  rmSync(folder, { recursive: true, force: true });
});

// biome-ignore lint/suspicious/noExplicitAny: replies of every shape
async function send(method: string, path: string, body?: unknown): Promise<any> {
  const reply = await call(credentials.baseUrl, method, path, { token: credentials.apiKey, ...(body ? { body } : {}) });
  if (reply.status >= 300) throw new Error(`${method} ${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
  return reply.body;
}

const rowsOf = async (dataset: string) => (await send('POST', '/api/query', { sql: `SELECT * FROM ${dataset}` })).rows;

/** A pipeline that replaces the dataset `sales` by the rows of a statement. */
const dagOf = (sql: string) => ({
  version: 1,
  steps: [
    { id: 'rows', type: 'transform_sql', config: { sql } },
    {
      id: 'keep',
      type: 'load',
      dependsOn: ['rows'],
      config: { target: { kind: 'dataset', name: 'sales' }, mode: 'overwrite' },
    },
  ],
});

async function runs(pipelineId: string, end = 'succeeded'): Promise<void> {
  const { id } = await send('POST', `/api/pipelines/${pipelineId}/run`);
  await expect.poll(async () => (await send('GET', `/api/pipelines/runs/${id}`)).status, { timeout: 60_000 }).toBe(end);
}

/** `npm run restore` as an operator runs it. */
async function restored(...given: string[]): Promise<string> {
  const program = join(import.meta.dirname, '../../infra/restore.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...given, '--endpoint', cloud.endpoint]);
  return stdout;
}

async function deployedWith(variables: Record<string, string>): Promise<Record<string, string>> {
  const assembly = await assemblyOf(platformSettings(variables));
  const { outputs } = await cloud.deploy(assembly);
  return outputs.AnalyticsData!;
}

const filesIn = async (Bucket: string, Prefix: string) =>
  ((await objects.send(new ListObjectsV2Command({ Bucket, Prefix }))).Contents ?? []).map(({ Key }) => Key!);
const itemsOf = async (TableName: string) =>
  (await tables.send(new DescribeTableCommand({ TableName }))).Table?.ItemCount;

it('works on a restored table, with the files of then, and later on a copied bucket', async () => {
  await send('POST', '/api/webhooks', {
    name: 'Runs',
    kind: 'generic',
    url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    events: ['pipeline.run_failed'],
  });
  const pipeline = await send('POST', '/api/pipelines', {
    name: 'Sales',
    dag: dagOf("SELECT 1 AS id, 'then' AS what"),
  });
  await runs(pipeline.id);
  const broken = await send('POST', '/api/pipelines', {
    name: 'Broken',
    dag: dagOf("SELECT CAST('broken' AS INTEGER) AS id"),
  });
  await runs(broken.id, 'failed');
  await expect.poll(() => received).toEqual(['pipeline.run_failed']);
  const { TableName: ownTable, BucketName: bucket } = await deployedWith({});
  const filesThen = await filesIn(bucket!, 'W/');
  // Times of objects have seconds.
  await sleep(1100);
  const moment = new Date().toISOString();
  await sleep(1100);

  // The mistake: rows are replaced, the pipeline is deleted, and the cleanup removes the files of old versions.
  await send('PATCH', `/api/pipelines/${pipeline.id}`, { dag: dagOf("SELECT 2 AS id, 'mistake' AS what") });
  await runs(pipeline.id);
  await send('DELETE', `/api/pipelines/${pipeline.id}`);
  for (const Key of filesThen) await objects.send(new DeleteObjectCommand({ Bucket: bucket!, Key }));
  const itemsAfter = await itemsOf(ownTable!);

  const said = await restored('table', '--from', ownTable!, '--at', moment);
  const [, stream = ''] = /RESTORED_TABLE_STREAM=(\S+)/.exec(said) ?? [];
  expect(await restored('table', '--from', ownTable!, '--at', moment), 'repeated').toContain(stream);
  const taken = restored('table', '--from', ownTable!, '--at', moment, '--to', ownTable!);
  await expect(taken).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('Choose another name') });
  const { TableName: table } = await deployedWith({ RESTORED_TABLE_STREAM: stream });
  expect(table).not.toBe(ownTable);
  expect(await restored('files', '--from', bucket!, '--at', moment)).toContain(`${filesThen.length} deleted and 0`);
  expect(await restored('files', '--from', bucket!, '--at', moment), 'repeated').toContain('0 deleted and 0 replaced');

  expect(await rowsOf('sales')).toEqual([[1, 'then']]);
  const { dag } = await send('GET', `/api/pipelines/${pipeline.id}`);
  expect(dag.steps[0].config.sql).toContain('then');
  await runs(pipeline.id);
  await runs(broken.id, 'failed');
  // The stream of the restored table feeds the webhooks.
  await expect.poll(() => received).toHaveLength(2);
  expect(await itemsOf(ownTable!), 'the own table is kept as it was').toBeLessThanOrEqual(itemsAfter!);

  await copyBucket(bucket!, 'analytics-copied');
  const outputs = await deployedWith({ RESTORED_TABLE_STREAM: stream, RESTORED_BUCKET: 'analytics-copied' });
  expect(outputs.BucketName).toBe('analytics-copied');
  expect(await rowsOf('sales')).toEqual([[1, 'then']]);
  const before = await filesIn(bucket!, 'W/');
  await runs(pipeline.id);
  expect(await filesIn(bucket!, 'W/'), 'nothing is written to the own bucket').toEqual(before);
});

async function copyBucket(from: string, to: string): Promise<void> {
  await objects.send(new CreateBucketCommand({ Bucket: to }));
  await objects.send(new PutBucketVersioningCommand({ Bucket: to, VersioningConfiguration: { Status: 'Enabled' } }));
  await objects.send(
    new PutBucketNotificationConfigurationCommand({
      Bucket: to,
      NotificationConfiguration: { EventBridgeConfiguration: {} },
    }),
  );
  for (const Key of await filesIn(from, '')) {
    await objects.send(new CopyObjectCommand({ Bucket: to, Key, CopySource: `${from}/${encodeURIComponent(Key)}` }));
  }
}

it('explains wrong arguments', async () => {
  const failed = async (...given: string[]) => {
    const error = await restored(...given).catch((reason: { code: number; stderr: string }) => reason);
    return error as { code: number; stderr: string };
  };
  for (const [given, message] of [
    [[], 'Say what to restore: table or files.'],
    [['table'], 'Name the table with --from.'],
    [['files', '--from', 'x'], 'Name the moment with --at.'],
    [['table', '--from', 'x'], 'Name the moment with --at.'],
    [['table', '--from', 'x', '--at', 'noon'], '--at must be a moment in ISO 8601, not "noon".'],
    [['table', '--form', 'x'], "Unknown option '--form'"],
  ] as const) {
    const { code, stderr } = await failed(...given);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    expect(stderr).toContain('Usage:');
  }
});

import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ListExecutionsCommand, ListStateMachinesCommand, SFNClient } from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Credentials } from '../../infra/seed.ts';
import type { LocalCloud } from '../../packages/local-cloud/index.ts';
import { call } from '../support/http.ts';
import { SETUP_TIMEOUT_MS } from '../support/setup/ask.ts';
import { openPlatform } from './open-platform.ts';

const folder = mkdtempSync(join(tmpdir(), 'analytics-deployed-'));
const second = join(folder, 'second');
const STEP_MACHINE = 'Works on a step of a pipeline run, attempt by attempt.';
const RUN_MACHINE = 'Starts a pipeline run.';

let cloud: LocalCloud;
let credentials: Credentials;
let server: Server;
const released = Promise.withResolvers<void>();
const asked: string[] = [];

beforeAll(async () => {
  const first = await openPlatform(join(folder, 'data'));
  ({ cloud, credentials } = first);
  nextVersion(first.assembly, second);
  server = createServer(async (request, response) => {
    asked.push(request.url!);
    const isSecond = asked.filter((url) => url === request.url).length > 1;
    if (request.url === '/held') await released.promise;
    response.statusCode = request.url === '/broken' && !isSecond ? 404 : 200;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify([{ id: 1 }]));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
}, SETUP_TIMEOUT_MS);

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await cloud.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The assembly of a version whose every bundle and both state machines are others. */
function nextVersion(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  const renamed = new Map<string, string>();
  for (const file of readdirSync(to).filter((name) => name.endsWith('.assets.json'))) {
    const manifest = JSON.parse(readFileSync(join(to, file), 'utf8')) as { files: Record<string, { source: Source }> };
    for (const [hash, { source }] of Object.entries(manifest.files)) {
      if (source.packaging !== 'zip' || !existsSync(join(source.path, 'index.mjs'))) continue;
      const other = hash.split('').reverse().join('');
      cpSync(source.path, join(to, other), { recursive: true });
      appendFileSync(join(to, other, 'index.mjs'), '\n// The next version.\n');
      source.path = other;
      renamed.set(hash, other);
    }
    writeFileSync(join(to, file), JSON.stringify(manifest));
  }
  for (const file of readdirSync(to).filter((name) => name.endsWith('.json'))) {
    let text = readFileSync(join(to, file), 'utf8');
    for (const [hash, other] of renamed) text = text.replaceAll(`${hash}.zip`, `${other}.zip`);
    for (const comment of [STEP_MACHINE, RUN_MACHINE]) text = text.replaceAll(comment, `${comment} The next version.`);
    writeFileSync(join(to, file), text);
  }
}

interface Source {
  path: string;
  packaging: string;
}

// biome-ignore lint/suspicious/noExplicitAny: replies of every shape
async function send(method: string, path: string, body?: unknown): Promise<any> {
  const reply = await call(credentials.baseUrl, method, path, { token: credentials.apiKey, ...(body ? { body } : {}) });
  if (reply.status >= 300) throw new Error(`${method} ${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
  return reply.body;
}

const rowsOf = async (dataset: string) => (await send('POST', '/api/query', { sql: `SELECT * FROM ${dataset}` })).rows;

/** How the executions of a machine have ended or are. */
async function executions(name: string): Promise<string[]> {
  const states = new SFNClient({
    endpoint: cloud.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const { stateMachines = [] } = await states.send(new ListStateMachinesCommand({}));
  const machine = stateMachines.find((one) => one.name!.toLowerCase().includes(name))!;
  const found = await states.send(new ListExecutionsCommand({ stateMachineArn: machine.stateMachineArn }));
  states.destroy();
  return (found.executions ?? []).map(({ status }) => status!);
}

it('a run that was begun by one version ends under the next, with each row loaded once', async () => {
  const source = await send('POST', '/api/data-sources', {
    name: 'Service',
    type: 'http',
    config: {
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      endpoints: ['held', 'broken'].map((name) => ({ name, path: `/${name}` })),
    },
    secrets: {},
  });
  const steps = ['held', 'broken'].flatMap((name) => [
    {
      id: name,
      type: 'extract',
      config: { sourceId: source.id, object: { table: name } },
      retry: { maxAttempts: 3, initialIntervalMs: 8000 },
    },
    {
      id: `keep-${name}`,
      type: 'load',
      dependsOn: [name],
      config: { target: { kind: 'dataset', name }, mode: 'append' },
    },
  ]);
  const pipeline = await send('POST', '/api/pipelines', { name: 'Deployed meanwhile', dag: { version: 1, steps } });
  const { id } = await send('POST', `/api/pipelines/${pipeline.id}/run`);
  const stepOf = async (stepId: string) => {
    const run = await send('GET', `/api/pipelines/runs/${id}`);
    return run.steps.find((step: { stepId: string }) => step.stepId === stepId);
  };
  // One worker is in the middle of its work, another execution lets time pass before the next attempt.
  await expect.poll(() => asked, { timeout: 90_000 }).toEqual(expect.arrayContaining(['/held', '/broken']));
  await expect.poll(async () => (await stepOf('broken')).nextRetryAt, { timeout: 90_000 }).not.toBeNull();

  const { changed } = await cloud.deploy(second);
  const types = changed.map(({ type, action }) => `${type} ${action}`);
  expect(types.filter((type) => type === 'AWS::StepFunctions::StateMachine updated')).toHaveLength(2);
  expect(types.filter((type) => type === 'AWS::Lambda::Function updated').length).toBeGreaterThan(10);
  expect(await stepOf('held')).toMatchObject({ status: 'running', attempt: 1 });

  released.resolve();
  await expect
    .poll(async () => (await send('GET', `/api/pipelines/runs/${id}`)).status, { timeout: 60_000 })
    .toBe('succeeded');
  expect(await stepOf('held')).toMatchObject({ status: 'succeeded', attempt: 1 });
  expect(await stepOf('broken')).toMatchObject({ status: 'succeeded', attempt: 2 });
  for (const name of ['held', 'broken']) expect(await rowsOf(name)).toEqual([[1]]);
  for (const machine of ['run', 'step']) {
    await expect.poll(async () => new Set(await executions(machine))).toEqual(new Set(['SUCCEEDED']));
  }
});

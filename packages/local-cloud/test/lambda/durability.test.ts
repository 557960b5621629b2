import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import {
  CreateEventSourceMappingCommand,
  CreateFunctionCommand,
  InvokeCommand,
  LambdaClient,
} from '@aws-sdk/client-lambda';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { zip } from '../../testing/zip.ts';
import { ROLE } from './support/cloud.ts';
import { eventually } from './support/eventually.ts';
import { isRunning } from './support/is-running.ts';

const HOST = fileURLToPath(new URL('./support/host.ts', import.meta.url));
const RECORDS = 60;

interface Host {
  process: ChildProcess;
  client: LambdaClient;
  streamArn: string;
}

let dataDir: string;
let trace: string;
let host: Host;

async function start(): Promise<Host> {
  const child = spawn(process.execPath, [HOST, dataDir, String(RECORDS)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const [port, streamArn] = line.split(' ') as [string, string];
  const client = new LambdaClient({
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${port}`,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
  return { process: child, client, streamArn };
}

async function kill(): Promise<void> {
  host.client.destroy();
  if (host.process.exitCode !== null || host.process.signalCode !== null) return;
  host.process.kill('SIGKILL');
  await once(host.process, 'exit');
}

const create = (FunctionName: string, source: string, Timeout = 30) =>
  host.client.send(
    new CreateFunctionCommand({
      FunctionName,
      Runtime: 'nodejs24.x',
      Handler: 'index.handler',
      Role: ROLE,
      Timeout,
      Environment: { Variables: { TRACE: trace } },
      Code: { ZipFile: zip({ 'index.mjs': source }) },
    }),
  );

/** Words that functions have written to the trace file. */
const traced = () => (existsSync(trace) ? readFileSync(trace, 'utf8').trim().split('\n') : []);

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'lambda-killed-'));
  trace = join(dataDir, 'trace.txt');
  host = await start();
});
afterEach(async () => {
  await kill();
  // A function that outlives the service for a moment may still write.
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

describe('a service that is killed', () => {
  it('leaves no process of a function behind, whether idle, waiting or blocked', async () => {
    await create(
      'lingering',
      `import { appendFileSync } from 'node:fs';
       export const handler = async ({ kind }) => {
         appendFileSync(process.env.TRACE, process.pid + '\\n');
         if (kind === 'waiting') await new Promise((done) => setTimeout(done, 600_000));
         if (kind === 'blocked') for (;;);
       };`,
    );
    const call = (kind: string) =>
      host.client.send(new InvokeCommand({ FunctionName: 'lingering', Payload: JSON.stringify({ kind }) }));
    const pending = [call('waiting').catch(() => {}), call('blocked').catch(() => {})];
    await eventually(() => traced().length).toBe(2);
    await call('idle');
    await kill();
    await Promise.all(pending);
    await eventually(() => traced().filter((pid) => isRunning(Number(pid)))).toEqual([]);
  });

  it('loses no accepted event', async () => {
    await create(
      'events',
      `import { appendFileSync } from 'node:fs'; export const handler = async ({ id }) => appendFileSync(process.env.TRACE, id + '\\n');`,
    );
    const accepted: string[] = [];
    const senders = Array.from({ length: 4 }, async (_, sender) => {
      for (let count = 0; ; count += 1) {
        const id = `${sender}-${count}`;
        await host.client.send(
          new InvokeCommand({ FunctionName: 'events', InvocationType: 'Event', Payload: JSON.stringify({ id }) }),
        );
        accepted.push(id);
      }
    });
    const stopped = Promise.allSettled(senders);
    await eventually(() => accepted.length).toBeGreaterThan(100);
    await kill();
    await stopped;
    host = await start();
    await eventually(() => accepted.filter((id) => !traced().includes(id))).toEqual([]);
  });

  it('continues its stream after the last finished batch: every record in order, with at most one batch repeated', async () => {
    await create(
      'streaming',
      `import { appendFileSync } from 'node:fs';
       export const handler = async ({ Records }) => {
         for (const record of Records) appendFileSync(process.env.TRACE, record.dynamodb.Keys.pk.S + '\\n');
         await new Promise((done) => setTimeout(done, 10));
       };`,
    );
    await host.client.send(
      new CreateEventSourceMappingCommand({
        FunctionName: 'streaming',
        EventSourceArn: host.streamArn,
        StartingPosition: 'TRIM_HORIZON',
        BatchSize: 3,
      }),
    );
    for (const seen of [10, 30]) {
      await eventually(() => traced().length).toBeGreaterThan(seen);
      await kill();
      host = await start();
    }
    const all = Array.from({ length: RECORDS }, (_, index) => `record-${index}`);
    await eventually(() => traced().at(-1)).toBe(all.at(-1));
    const lines = traced();
    expect([...new Set(lines)]).toEqual(all);
    expect(lines.length).toBeLessThanOrEqual(RECORDS + 2 * 3);
  });
});

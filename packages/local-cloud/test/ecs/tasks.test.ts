import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callEcs } from '../../testing/ecs-wire.ts';
import { define, EcsCloud, RUN, type Task, when, writeImage } from './support/cloud.ts';

let cloud: EcsCloud;
beforeEach(async () => {
  cloud = new EcsCloud();
  await cloud.start();
});
afterEach(() => cloud.dispose());

const FOREVER = 'setInterval(() => {}, 1000);';
/** A program that writes its process id to a file and stays. */
const leaving = (file: string) =>
  `import { writeFileSync } from 'node:fs'; writeFileSync('${file}', String(process.pid)); ${FOREVER}`;
const LOST = {
  lastStatus: 'STOPPED',
  stopCode: 'TerminationNotice',
  stoppedReason: 'The host of the task was terminated.',
};
const isRunning = (pid: number) => existsSync(`/proc/${pid}`);
const pidIn = (file: string) => when(async () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0), Boolean);

describe('clusters and task definitions', () => {
  it('are created, described, listed and removed', async () => {
    const first = await cloud.define('');
    const second = await cloud.define('');
    expect([first, second].map((arn) => arn.split('/')[1])).toEqual(['work:1', 'work:2']);
    expect(await cloud.call('DescribeTaskDefinition', { taskDefinition: 'work' })).toMatchObject({
      taskDefinition: { taskDefinitionArn: second, status: 'ACTIVE', cpu: '256' },
    });
    await cloud.call('DeregisterTaskDefinition', { taskDefinition: second });
    expect(await cloud.call('ListTaskDefinitions')).toEqual({ taskDefinitionArns: [first] });
    expect(await cloud.call('DescribeClusters', { clusters: ['jobs', 'none'] })).toMatchObject({
      clusters: [{ clusterName: 'jobs', status: 'ACTIVE', runningTasksCount: 0 }],
      failures: [{ reason: 'MISSING' }],
    });
    await cloud.call('DeleteCluster', { cluster: 'jobs' });
    expect(await cloud.call('ListClusters')).toEqual({ clusterArns: [] });
    await expect(cloud.run()).rejects.toMatchObject({ name: 'ClusterNotFoundException' });
  });

  it.each([
    ['FROM node:1', { dockerfile: 'FROM node:1\nCMD ["node"]' }],
    ['RUN', { dockerfile: `FROM node:24\nRUN apt-get update\nCMD ["node"]` }],
    ['COPY main.mjs /srv/', { dockerfile: `FROM node:24\nCOPY main.mjs /srv/\nCMD ["node"]` }],
    ['CMD in another form', { dockerfile: 'FROM node:24\nCMD node main.mjs' }],
    ['the program sh', { dockerfile: 'FROM node:24\nCMD ["sh", "-c", "true"]' }],
    ['healthCheck', { container: { healthCheck: {} } }],
    [
      'a volume at /data',
      {
        definition: { volumes: [{ name: 'v' }] },
        container: { mountPoints: [{ sourceVolume: 'v', containerPath: '/data' }] },
      },
    ],
    ['another launch type', { definition: { networkMode: 'bridge' } }],
  ])('are rejected with the name of the unsupported feature: %s', async (named, more) => {
    await expect(cloud.define('', more)).rejects.toMatchObject({
      name: 'UnsupportedOperationException',
      message: expect.stringContaining(named),
    });
  });

  it('are rejected in sizes that Fargate does not support', async () => {
    await expect(cloud.define('', { definition: { memory: '300' } })).rejects.toMatchObject({
      message: 'No Fargate configuration exists for given values.',
    });
  });
});

describe('a task', () => {
  it('runs the command of its image with its variables, logs its output and stops with its exit code', async () => {
    const awslogs = { 'awslogs-group': '/tasks', 'awslogs-region': 'us-east-1', 'awslogs-stream-prefix': 'run' };
    await cloud.define('console.log(process.env.A, process.env.B, process.env.USER); process.exitCode = 3;', {
      container: {
        environment: [
          { name: 'A', value: 'a' },
          { name: 'B', value: 'b' },
        ],
        logConfiguration: { logDriver: 'awslogs', options: awslogs },
      },
    });
    const environment = [{ name: 'B', value: 'other' }];
    const { tasks } = await cloud.run({ overrides: { containerOverrides: [{ name: 'main', environment }] } });
    expect(tasks[0]).toMatchObject({ lastStatus: 'PROVISIONING', desiredStatus: 'RUNNING' });
    expect(await cloud.stopped(tasks[0].taskArn)).toMatchObject({
      stopCode: 'EssentialContainerExited',
      stoppedReason: 'Essential container in task exited',
      containers: [{ exitCode: 3 }],
    });
    const logs = new CloudWatchLogsClient({
      endpoint: cloud.cloud.endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    });
    const { events } = await logs.send(new FilterLogEventsCommand({ logGroupName: '/tasks' }));
    expect(events).toMatchObject([
      { message: 'a other undefined', logStreamName: `run/main/${tasks[0].taskArn.split('/')[2]}` },
    ]);
    logs.destroy();
  });

  it('is started once for a client token, which another request cannot reuse', async () => {
    await cloud.define('');
    const { tasks } = await cloud.run({ clientToken: 't' });
    expect((await cloud.run({ clientToken: 't' })).tasks[0].taskArn).toBe(tasks[0].taskArn);
    await expect(cloud.run({ clientToken: 't', startedBy: 'me' })).rejects.toMatchObject({ name: 'ConflictException' });
  });

  it('gets SIGTERM when it is stopped, and SIGKILL after its stop timeout', async () => {
    const run = async (name: string, onSignal: string) => {
      const file = join(cloud.folder, name);
      await cloud.define(`process.on('SIGTERM', () => ${onSignal}); ${leaving(file)}`, {
        container: { stopTimeout: 1 },
      });
      const { tasks } = await cloud.run();
      await pidIn(file);
      return tasks[0].taskArn;
    };
    const polite = await run('polite', 'process.exit(0)');
    const stubborn = await run('stubborn', '{}');
    expect(await cloud.call('ListTasks', { cluster: 'jobs' })).toEqual({ taskArns: [polite, stubborn].sort() });
    for (const [task, exitCode] of [
      [polite, 0],
      [stubborn, 137],
    ] as const) {
      await cloud.call('StopTask', { cluster: 'jobs', task, reason: 'enough' });
      expect(await cloud.stopped(task)).toMatchObject({
        stopCode: 'UserInitiated',
        stoppedReason: 'enough',
        containers: [{ exitCode }],
      });
    }
  });

  it('is killed when it exceeds its memory', async () => {
    await cloud.define(
      `const held = []; for (let i = 0; i < 900; i++) held.push(Buffer.alloc(1024 * 1024, 1)); ${FOREVER}`,
    );
    const { tasks } = await cloud.run();
    expect(await cloud.stopped(tasks[0].taskArn)).toMatchObject({
      containers: [{ exitCode: 137, reason: 'OutOfMemoryError: Container killed due to memory usage' }],
    });
  });

  it('stops with the reason when its image is missing', async () => {
    await cloud.define('', { container: { image: 'nowhere/none:1' } });
    const { tasks } = await cloud.run();
    expect(await cloud.stopped(tasks[0].taskArn)).toMatchObject({
      stopCode: 'TaskFailedToStart',
      stoppedReason: 'CannotPullContainerError: nowhere/none:1: not found',
    });
  });

  it('is found stopped, and its process gone, after the host went down', async () => {
    await cloud.define(leaving(join(cloud.folder, 'pid')));
    const { tasks } = await cloud.run();
    const pid = await pidIn(join(cloud.folder, 'pid'));
    expect(isRunning(pid)).toBe(true);
    await cloud.restart();
    expect(isRunning(pid)).toBe(false);
    expect(await cloud.task(tasks[0].taskArn)).toMatchObject(LOST);
  });

  it('is found stopped, and its process gone, after the host was killed', async () => {
    const file = join(cloud.folder, 'pid');
    const image = writeImage(cloud.folder, leaving(file));
    await cloud.stop();
    const program = join(import.meta.dirname, 'support/host.ts');
    const host = spawn(process.execPath, [program, cloud.folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [endpoint] = await once(createInterface({ input: host.stdout }), 'line');
    await callEcs(endpoint, 'CreateCluster', { clusterName: 'jobs' });
    await define((operation, input) => callEcs(endpoint, operation, input), image);
    const { tasks } = await callEcs<{ tasks: [Task] }>(endpoint, 'RunTask', RUN);
    const pid = await pidIn(file);
    const gone = once(host, 'exit');
    host.kill('SIGKILL');
    await gone;
    await when(
      async () => isRunning(pid),
      (running) => !running,
    );
    await cloud.start();
    expect(await cloud.task(tasks[0].taskArn)).toMatchObject(LOST);
  });
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SFNClient } from '@aws-sdk/client-sfn';
import { LocalCloud } from '../../../cloud.ts';
import { callEcs } from '../../../testing/ecs-wire.ts';
import { signedFetch } from '../../../testing/signed-request.ts';

const CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' };
const DOCKERFILE = `FROM public.ecr.aws/docker/library/node:${process.versions.node.split('.')[0]}-slim
WORKDIR /app
COPY *.mjs ./
USER node
CMD ["node", "main.mjs"]
`;

export interface Task {
  taskArn: string;
  lastStatus: string;
  desiredStatus: string;
  stopCode?: string;
  stoppedReason?: string;
  containers: { exitCode?: number; reason?: string }[];
}

/** A local cloud, with calls to ECS over its wire protocol. */
export class EcsCloud {
  readonly folder: string;
  cloud!: LocalCloud;
  states!: SFNClient;

  constructor(folder = mkdtempSync(join(tmpdir(), 'ecs-'))) {
    this.folder = folder;
  }

  async start(): Promise<void> {
    this.cloud = await LocalCloud.open({ dataDir: this.folder, port: 0 });
    this.states = statesClient(this.cloud.endpoint);
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    this.states.destroy();
    await this.cloud.close();
  }

  async dispose(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  call<Output = Record<string, unknown>>(operation: string, input: object = {}): Promise<Output> {
    return callEcs(this.cloud.endpoint, operation, input);
  }

  /** Creates a cluster `jobs` and a definition `work` with the program `source`; returns its ARN. */
  async define(source: string, more: { container?: object; definition?: object; dockerfile?: string } = {}) {
    const image = writeImage(this.folder, source, more.dockerfile);
    await this.call('CreateCluster', { clusterName: 'jobs' });
    return define((operation, input) => this.call(operation, input), image, more);
  }

  run(more: object = {}): Promise<{ tasks: [Task] }> {
    return this.call('RunTask', { ...RUN, ...more });
  }

  async task(taskArn: string): Promise<Task> {
    const { tasks } = await this.call<{ tasks: [Task] }>('DescribeTasks', { cluster: 'jobs', tasks: [taskArn] });
    return tasks[0];
  }

  /** The task once it fits. */
  when(taskArn: string, fits: (task: Task) => boolean): Promise<Task> {
    return when(() => this.task(taskArn), fits);
  }

  /** What the task has printed. */
  async logs(taskArn: string): Promise<{ events: { message?: string }[] }> {
    const request = { logGroupName: '/tasks', logStreamNames: [`run/main/${taskArn.split('/')[2]}`] };
    const reply = await signedFetch(this.cloud.endpoint, {
      ...{ service: 'logs', method: 'POST', path: '/', body: JSON.stringify(request) },
      headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'Logs_20140328.FilterLogEvents' },
    });
    return (await reply.json()) as { events: { message?: string }[] };
  }

  stopped(taskArn: string): Promise<Task> {
    return this.when(taskArn, ({ lastStatus }) => lastStatus === 'STOPPED');
  }
}

export const RUN = {
  cluster: 'jobs',
  taskDefinition: 'work',
  launchType: 'FARGATE',
  networkConfiguration: { awsvpcConfiguration: { subnets: ['subnet-1'], assignPublicIp: 'ENABLED' } },
};

export function statesClient(endpoint: string): SFNClient {
  return new SFNClient({ region: 'us-east-1', endpoint, credentials: CREDENTIALS, maxAttempts: 1 });
}

/** Repeats the call until the answer fits. */
export async function when<T>(ask: () => Promise<T>, fits: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (fits(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

let images = 0;

/** Stores a build folder as a deployment does, and returns the image's URI. */
export function writeImage(dataDir: string, source: string, dockerfile = DOCKERFILE): string {
  const tag = `test-${process.pid}-${++images}`;
  const folder = join(dataDir, 'assets', `image-${tag}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'Dockerfile'), dockerfile);
  writeFileSync(join(folder, 'main.mjs'), source);
  return `000000000000.dkr.ecr.us-east-1.amazonaws.com/assets:${tag}`;
}

export async function define(
  send: <Output>(operation: string, input: object) => Promise<Output>,
  image: string,
  more: { container?: object; definition?: object } = {},
): Promise<string> {
  const { taskDefinition } = await send<{ taskDefinition: { taskDefinitionArn: string } }>('RegisterTaskDefinition', {
    family: 'work',
    networkMode: 'awsvpc',
    requiresCompatibilities: ['FARGATE'],
    cpu: '256',
    memory: '512',
    containerDefinitions: [{ name: 'main', image, essential: true, ...more.container }],
    ...more.definition,
  });
  return taskDefinition.taskDefinitionArn;
}

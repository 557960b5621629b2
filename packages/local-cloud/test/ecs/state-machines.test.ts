import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EcsCloud, when } from './support/cloud.ts';

let cloud: EcsCloud;
let traces: string;
beforeEach(async () => {
  cloud = new EcsCloud();
  await cloud.start();
  traces = join(cloud.folder, 'traces');
  appendFileSync(traces, '');
});
afterEach(() => cloud.dispose());

const traced = (more: string) =>
  `import { appendFileSync } from 'node:fs'; appendFileSync('${traces}', process.env.WORD + '\\n'); ${more}`;
const words = () => readFileSync(traces, 'utf8').split('\n').filter(Boolean);

async function start(more: object = {}): Promise<string> {
  const definition = {
    QueryLanguage: 'JSONata',
    StartAt: 'Run',
    States: {
      Run: {
        Type: 'Task',
        Resource: 'arn:aws:states:::ecs:runTask.sync',
        Arguments: {
          Cluster: 'jobs',
          TaskDefinition: 'work',
          LaunchType: 'FARGATE',
          NetworkConfiguration: { AwsvpcConfiguration: { Subnets: ['subnet-1'], AssignPublicIp: 'ENABLED' } },
          Overrides: {
            ContainerOverrides: [{ Name: 'main', Environment: [{ Name: 'WORD', Value: '{% $states.input.word %}' }] }],
          },
        },
        Output: { exitCode: '{% $states.result.Containers[0].ExitCode %}' },
        End: true,
        ...more,
      },
    },
  };
  const { stateMachineArn } = await cloud.states.send(
    new CreateStateMachineCommand({
      name: 'm',
      roleArn: 'arn:aws:iam::000000000000:role/machine',
      definition: JSON.stringify(definition),
    }),
  );
  const { executionArn } = await cloud.states.send(
    new StartExecutionCommand({ stateMachineArn, input: JSON.stringify({ word: 'hello' }) }),
  );
  return executionArn as string;
}

const ended = (executionArn: string) =>
  when(
    () => cloud.states.send(new DescribeExecutionCommand({ executionArn })),
    ({ status }) => status !== 'RUNNING',
  );
const tasks = () => cloud.call<{ taskArns: string[] }>('ListTasks', { cluster: 'jobs', desiredStatus: 'STOPPED' });

describe('a state that runs a task', () => {
  it('waits for its end and returns the task', async () => {
    await cloud.define(traced(''));
    expect(await ended(await start())).toMatchObject({ status: 'SUCCEEDED', output: '{"exitCode":0}' });
    expect(words()).toEqual(['hello']);
  });

  it('fails with the task as its cause when the container does', async () => {
    await cloud.define(traced('process.exitCode = 7;'));
    const { status, error, cause } = await ended(await start());
    expect({ status, error }).toEqual({ status: 'FAILED', error: 'States.TaskFailed' });
    expect(JSON.parse(cause as string)).toMatchObject({
      StopCode: 'EssentialContainerExited',
      Containers: [{ Name: 'main', ExitCode: 7 }],
    });
  });

  it('fails with the error of the service when the task cannot be started', async () => {
    expect(await ended(await start())).toMatchObject({ status: 'FAILED', error: 'ECS.ClusterNotFoundException' });
  });

  it('stops the task when the execution is stopped', async () => {
    await cloud.define(traced('setInterval(() => {}, 1000);'));
    const stopped = await start();
    await when(
      async () => words().length,
      (count) => count === 1,
    );
    await cloud.states.send(new StopExecutionCommand({ executionArn: stopped }));
    await when(tasks, ({ taskArns }) => taskArns.length === 1);
    const [first] = (await tasks()).taskArns;
    expect((await cloud.stopped(first as string)).stoppedReason).toBe(`Stopped by the execution ${stopped}`);
  });

  it('stops the task at its timeout', async () => {
    await cloud.define(traced('setInterval(() => {}, 1000);'));
    expect(await ended(await start({ TimeoutSeconds: 1 }))).toMatchObject({
      status: 'FAILED',
      error: 'States.Timeout',
    });
    await when(tasks, ({ taskArns }) => taskArns.length === 1);
  });

  it('fails after a restart because its task ended with the host, and starts no other', async () => {
    await cloud.define(traced('setInterval(() => {}, 1000);'));
    const execution = await start();
    await when(
      async () => words().length,
      (count) => count === 1,
    );
    await cloud.restart();
    const { error, cause } = await ended(execution);
    expect(error).toBe('States.TaskFailed');
    expect(JSON.parse(cause as string)).toMatchObject({ StopCode: 'TerminationNotice' });
    expect(words()).toEqual(['hello']);
  });
});

import { randomUUID } from 'node:crypto';
import { AwsError, unsupported } from '../../../core/aws-error.ts';
import type { Operation } from '../../../core/operations.ts';
import { pageOf } from '../../../core/paging.ts';
import { type Arns, nameOf } from '../arns.ts';
import { newTaskId, type TaskRunner } from '../execution/task-runner.ts';
import type { Overrides, Task, TaskDefinition } from '../model.ts';
import type { EcsStore } from '../storage/store.ts';
import { clusterOf } from './cluster-operations.ts';
import { invalid } from './errors.ts';
import { definitionOf } from './task-definition-operations.ts';

const MAX_AT_ONCE = 10;

interface RunTask {
  cluster?: string;
  taskDefinition: string;
  count?: number;
  launchType?: string;
  networkConfiguration?: { awsvpcConfiguration?: { subnets?: string[] } };
  overrides?: Overrides;
  clientToken?: string;
  startedBy?: string;
  group?: string;
}

/** Running, describing, listing and stopping tasks. */
export function taskOperations(
  { arns, now }: { arns: Arns; now: () => number },
  store: EcsStore,
  runner: TaskRunner,
): Record<string, Operation> {
  const taskOf = (cluster: string | undefined, reference: string): Task | undefined =>
    store.task(arns.task(clusterOf(store, cluster).clusterName, nameOf(reference)));

  return {
    RunTask: {
      members: [
        'cluster',
        'taskDefinition',
        'count',
        'launchType',
        'platformVersion',
        'networkConfiguration',
        'overrides',
        'clientToken',
        'startedBy',
        'group',
        'propagateTags',
        'enableECSManagedTags',
        'tags',
      ],
      structures: {
        networkConfiguration: ['awsvpcConfiguration'],
        'networkConfiguration.awsvpcConfiguration': ['subnets', 'securityGroups', 'assignPublicIp'],
        overrides: ['containerOverrides'],
        'overrides.containerOverrides[]': ['name', 'environment', 'command'],
      },
      resource: ({ taskDefinition }: RunTask) => nameOf(taskDefinition),
      run(input: RunTask) {
        const { clusterName } = clusterOf(store, input.cluster);
        const { clientToken } = input;
        const request = JSON.stringify(input);
        const before = clientToken === undefined ? undefined : store.startedWith(clusterName, clientToken);
        if (before) return { tasks: sameTasks(before, request), failures: [] };
        const definition = definitionOf(store, input.taskDefinition);
        check(input, definition);
        const tasks = Array.from({ length: input.count ?? 1 }, () =>
          newTask(arns, clusterName, definition, input, now()),
        );
        store.addTasks(clusterName, tasks, { request, ...(clientToken !== undefined && { clientToken }) });
        for (const task of tasks) runner.start(task, definition);
        return { tasks, failures: [] };
      },
    },
    DescribeTasks: {
      members: ['cluster', 'tasks', 'include'],
      run({ cluster, tasks }: { cluster?: string; tasks: string[] }) {
        const found = tasks.map((reference) => taskOf(cluster, reference));
        return {
          tasks: found.filter((task) => task !== undefined),
          failures: tasks
            .filter((_reference, index) => found[index] === undefined)
            .map((reference) => ({
              arn: arns.task(clusterOf(store, cluster).clusterName, nameOf(reference)),
              reason: 'MISSING',
            })),
        };
      },
    },
    StopTask: {
      members: ['cluster', 'task', 'reason'],
      run({ cluster, task: reference, reason }: { cluster?: string; task: string; reason?: string }) {
        const task = taskOf(cluster, reference);
        if (!task) throw invalid('The referenced task was not found.');
        const [container] = definitionOf(store, task.taskDefinitionArn).containerDefinitions;
        const stop = { code: 'UserInitiated', reason: reason ?? 'Task stopped by user' } as const;
        return { task: runner.stop(task, container?.stopTimeout, stop) };
      },
    },
    ListTasks: {
      members: ['cluster', 'family', 'desiredStatus', 'startedBy', 'maxResults', 'nextToken'],
      run({ cluster, family, desiredStatus = 'RUNNING', startedBy, maxResults = 100, nextToken }: ListTasks) {
        const found = store
          .tasks(clusterOf(store, cluster).clusterName)
          .filter((task) => task.desiredStatus === desiredStatus)
          .filter((task) => family === undefined || nameOf(task.taskDefinitionArn).split(':')[0] === family)
          .filter((task) => startedBy === undefined || task.startedBy === startedBy);
        const { items, next } = pageOf(found, ({ taskArn }) => taskArn, { size: maxResults, token: nextToken });
        return {
          taskArns: items.map(({ taskArn }) => taskArn),
          ...(next.NextToken !== undefined && { nextToken: next.NextToken }),
        };
      },
    },
  };
}

interface ListTasks {
  cluster?: string;
  family?: string;
  desiredStatus?: string;
  startedBy?: string;
  maxResults?: number;
  nextToken?: string;
}

function sameTasks(before: { tasks: Task[]; request: string }, request: string): Task[] {
  if (before.request === request) return before.tasks;
  throw new AwsError(
    'ConflictException',
    'The RunTask request could not be processed due to conflicts. The provided clientToken is already in use with a different RunTask request.',
    { fields: { resourceIds: before.tasks.map(({ taskArn }) => taskArn) } },
  );
}

function check(input: RunTask, definition: TaskDefinition): void {
  const { count = 1, launchType, networkConfiguration, overrides } = input;
  if (launchType !== 'FARGATE') throw unsupported('ecs', `the launch type ${launchType ?? 'EC2'}`);
  if (!Number.isInteger(count) || count < 1 || count > MAX_AT_ONCE) {
    throw invalid(`Count must be between 1 and ${MAX_AT_ONCE}.`);
  }
  if ((networkConfiguration?.awsvpcConfiguration?.subnets ?? []).length === 0) {
    throw invalid("Network Configuration must be provided when networkMode 'awsvpc' is specified.");
  }
  const names = definition.containerDefinitions.map(({ name }) => name);
  const stranger = overrides?.containerOverrides?.find(({ name }) => !names.includes(name));
  if (stranger)
    throw invalid(`Override for container named ${stranger.name} is not a container in the TaskDefinition.`);
}

function newTask(arns: Arns, cluster: string, definition: TaskDefinition, input: RunTask, createdAt: number): Task {
  const id = newTaskId();
  const taskArn = arns.task(cluster, id);
  return {
    taskArn,
    clusterArn: arns.cluster(cluster),
    taskDefinitionArn: definition.taskDefinitionArn,
    lastStatus: 'PROVISIONING',
    desiredStatus: 'RUNNING',
    containers: definition.containerDefinitions.map(({ name, image }) => ({
      containerArn: arns.container(cluster, id, randomUUID()),
      taskArn,
      name,
      image,
      lastStatus: 'PENDING',
    })),
    overrides: input.overrides ?? {},
    cpu: definition.cpu,
    memory: definition.memory,
    launchType: 'FARGATE',
    group: input.group ?? `family:${definition.family}`,
    ...(input.startedBy !== undefined && { startedBy: input.startedBy }),
    createdAt,
    version: 1,
  };
}

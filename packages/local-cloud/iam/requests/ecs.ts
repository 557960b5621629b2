import type { AccessRequest, Place, Requirements } from '../../core/access/authorizer.ts';
import { ANY, arnOf, lastSegment, passRole } from './place.ts';

interface Input {
  cluster?: string;
  clusterName?: string;
  family?: string;
  task?: string;
  tasks?: string[];
  taskDefinition?: string;
  taskRoleArn?: string;
  executionRoleArn?: string;
}

/** The parts of a task definition that matter to access. */
export interface DefinitionAccess {
  taskDefinitionArn: string;
  taskRoleArn?: string | undefined;
  executionRoleArn?: string | undefined;
}

const SERVICE = 'ecs-tasks.amazonaws.com';

export const ecsRequests: Requirements = (operation, input: Input, place) => {
  const action = `ecs:${operation}`;
  const cluster = arnOf('ecs', place, `cluster/${lastSegment(input.cluster ?? input.clusterName ?? 'default')}`);
  const context = { 'ecs:cluster': cluster };
  const tasks = input.tasks ?? (input.task === undefined ? [] : [input.task]);
  if (tasks.length > 0) {
    const name = lastSegment(cluster);
    return tasks.map((task) => ({
      action,
      context,
      resource: arnOf('ecs', place, `task/${name}/${lastSegment(task)}`),
    }));
  }
  if (operation.includes('TaskDefinition')) return [{ action, resource: ANY }, ...passRoles(input)];
  return [{ action, resource: operation.includes('Cluster') ? cluster : ANY, context }];
};

/** Running a task also passes its roles to it. */
export function runTask(input: Input, definition: DefinitionAccess, place: Place): AccessRequest[] {
  const cluster = arnOf('ecs', place, `cluster/${lastSegment(input.cluster ?? 'default')}`);
  const run = { action: 'ecs:RunTask', resource: definition.taskDefinitionArn, context: { 'ecs:cluster': cluster } };
  return [run, ...passRoles(definition)];
}

function passRoles({
  taskRoleArn,
  executionRoleArn,
}: Pick<Input, 'taskRoleArn' | 'executionRoleArn'>): AccessRequest[] {
  return [...passRole(taskRoleArn, SERVICE), ...passRole(executionRoleArn, SERVICE)];
}

import type { Principal } from '../../../core/access/principal.ts';
import type { EcsPort, EcsTask } from '../../../core/ports.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { StateError } from '../state-error.ts';
import { serviceError } from './service-error.ts';

/**
 * The start of `arn:aws:states:::ecs:runTask.sync`: starts the task and returns it; the token returns the same task
 * after a crash.
 */
export async function startTask(
  ecs: EcsPort,
  members: JsonObject,
  clientToken: string,
  caller: Principal,
): Promise<JsonObject> {
  try {
    const input = { ...(inCase(members, 'toLowerCase') as JsonObject), clientToken };
    const { tasks } = await ecs.perform<{ tasks: [EcsTask] }>('RunTask', input, caller);
    return inCase(tasks[0] as unknown as Json, 'toUpperCase') as JsonObject;
  } catch (error) {
    throw serviceError('ECS', error);
  }
}

/**
 * Its end: returns the stopped task. Throws `States.TaskFailed` with the task as cause, unless its container exited
 * with 0.
 */
export async function stoppedTask(ecs: EcsPort, taskArn: string, caller: Principal): Promise<Json> {
  const task = await ended(ecs, taskArn, caller);
  const described = inCase(task as unknown as Json, 'toUpperCase');
  if (task.containers.every(({ exitCode }) => exitCode === 0)) return described;
  throw new StateError('States.TaskFailed', JSON.stringify(described));
}

async function ended(ecs: EcsPort, taskArn: string, caller: Principal): Promise<EcsTask> {
  try {
    return await ecs.whenStopped(taskArn, caller);
  } catch (error) {
    throw serviceError('ECS', error);
  }
}

/** A state that is left before its task has ended stops the task. */
export async function stopTask(ecs: EcsPort, taskArn: string, reason: string, caller: Principal): Promise<void> {
  const [, cluster] = taskArn.split('/');
  try {
    await ecs.perform('StopTask', { cluster, task: taskArn, reason }, caller);
  } catch {
    // It has ended and was deleted, or cannot be reached; then it ends by itself.
  }
}

/** Step Functions capitalises member names, the service does not. */
function inCase(value: Json, change: 'toLowerCase' | 'toUpperCase'): Json {
  if (Array.isArray(value)) return value.map((item) => inCase(item, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.charAt(0)[change]() + name.slice(1), inCase(member, change)]),
  );
}

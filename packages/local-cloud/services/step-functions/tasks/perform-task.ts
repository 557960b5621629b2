import type { Principal } from '../../../core/access/principal.ts';
import type { EcsPort, LambdaPort, SqsPort, StatesPort } from '../../../core/ports.ts';
import type { Json, JsonObject } from '../json.ts';
import { isJsonObject } from '../json.ts';
import { TASK_ARGUMENTS } from '../language/task-arguments.ts';
import type { TaskResource } from '../language/task-resource.ts';
import { StateError } from '../state-error.ts';
import { startTask } from './ecs-task.ts';
import { invokeFunction, invokeIntegration } from './lambda-task.ts';
import { sendMessage } from './sqs-task.ts';
import { startExecution } from './start-execution-task.ts';

export interface TaskPorts {
  readonly lambda: LambdaPort;
  readonly sqs: SqsPort;
  readonly states: StatesPort;
  readonly ecs: EcsPort;
  /** The Region of the queues. */
  readonly region: string;
}

export interface TaskCall {
  resource: TaskResource;
  taskArguments: Json;
  /** The same for each repetition. */
  callId: string;
  /** The session of the machine's role. */
  caller: Principal;
}

/** Makes the call of a Task state and returns its result in the state's form. Throws `StateError`. */
export async function performTask(
  ports: TaskPorts,
  { resource, taskArguments, callId, caller }: TaskCall,
): Promise<Json> {
  if (resource.kind === 'lambda:function') {
    return invokeFunction(ports.lambda, resource.functionArn!, taskArguments, caller);
  }
  const members = checkedMembers(resource, taskArguments);
  switch (resource.kind) {
    case 'lambda:invoke':
      return invokeIntegration(ports.lambda, members, caller);
    case 'sqs:sendMessage':
      return sendMessage(ports.sqs, ports.region, members, caller);
    case 'states:startExecution':
      return startExecution(ports.states, members, caller);
    case 'ecs:runTask':
      return startTask(ports.ecs, members, callId, caller);
  }
}

function checkedMembers(resource: TaskResource, taskArguments: Json): JsonObject {
  const { known, required } = TASK_ARGUMENTS[resource.kind]!;
  if (!isJsonObject(taskArguments))
    throw new StateError('States.Runtime', 'The arguments of the task must be an object.');
  for (const name of Object.keys(taskArguments)) {
    if (!known.includes(name)) {
      throw new StateError(
        'States.Runtime',
        `The field '${name}' is not supported by Step Functions in the local cloud.`,
      );
    }
  }
  for (const name of required) {
    if (!Object.hasOwn(taskArguments, name)) {
      throw new StateError('States.Runtime', `The field '${name}' is required but was missing.`);
    }
  }
  return taskArguments;
}

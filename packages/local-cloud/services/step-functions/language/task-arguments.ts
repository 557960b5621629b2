import { isJsonObject } from '../json.ts';
import type { Fields } from './diagnostics.ts';
import type { TaskResource } from './task-resource.ts';
import { isExpression } from './template.ts';

/** Supported members of `Arguments` by integration. A plain function ARN accepts any payload. */
export const TASK_ARGUMENTS: Record<
  TaskResource['kind'],
  { known: readonly string[]; required: readonly string[] } | undefined
> = {
  'lambda:function': undefined,
  'lambda:invoke': { known: ['FunctionName', 'Payload', 'InvocationType', 'Qualifier'], required: ['FunctionName'] },
  'sqs:sendMessage': {
    known: ['QueueUrl', 'MessageBody', 'DelaySeconds', 'MessageGroupId'],
    required: ['QueueUrl', 'MessageBody'],
  },
  'ecs:runTask': {
    known: [
      'Cluster',
      'TaskDefinition',
      'LaunchType',
      'PlatformVersion',
      'NetworkConfiguration',
      'Overrides',
      'Group',
      'StartedBy',
      'PropagateTags',
    ],
    required: ['TaskDefinition'],
  },
  'states:startExecution': { known: ['StateMachineArn', 'Input', 'Name'], required: ['StateMachineArn'] },
};

/** Checks `Arguments` at creation if they are an object. An expression is checked when it runs. */
export function checkArguments(resource: TaskResource, fields: Fields): void {
  const shape = TASK_ARGUMENTS[resource.kind];
  const written = fields.value('Arguments');
  if (!shape || written === undefined || isExpression(written)) return;
  const members = fields.object('Arguments');
  if (!members) return;
  members.allowOnly(shape.known, `the arguments of ${resource.resourceType}:${resource.resource}`);
  for (const name of shape.required) {
    if (!members.has(name)) members.issue('', `The field '${name}' is required`);
  }
  if (
    resource.waitForTaskToken &&
    isJsonObject(written) &&
    !/\$states\.context\.Task\.Token\b/.test(JSON.stringify(written))
  ) {
    members.issue('', 'The task token ($states.context.Task.Token) must be passed in the arguments');
  }
}

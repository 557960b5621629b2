import type { AccessRequest, Place, Requirements } from '../../core/access/authorizer.ts';
import { ANY, arnOf, passRole } from './place.ts';

interface Input {
  stateMachineArn?: string;
  executionArn?: string;
  resourceArn?: string;
  name?: string;
  roleArn?: string;
}

export const stepFunctionsRequests: Requirements = (operation, input: Input, place) => {
  const action = `states:${operation}`;
  const passed = passRole(input.roleArn, 'states.amazonaws.com');
  if (operation === 'CreateStateMachine') {
    return [{ action, resource: arnOf('states', place, `stateMachine:${input.name ?? ''}`) }, ...passed];
  }
  // Task tokens have no resource.
  const resource = input.stateMachineArn ?? input.executionArn ?? input.resourceArn ?? ANY;
  return [{ action, resource }, ...passed];
};

/**
 * A machine that waits for the end of a task hears of it through a rule that Step Functions makes with the machine's
 * role.
 */
export function managedRules(definition: string, place: Place): AccessRequest[] {
  if (!definition.includes(':::ecs:runTask.sync')) return [];
  const resource = arnOf('events', place, 'rule/StepFunctionsGetEventsForECSTaskRule');
  return ['PutTargets', 'PutRule', 'DescribeRule'].map((operation) => ({ action: `events:${operation}`, resource }));
}

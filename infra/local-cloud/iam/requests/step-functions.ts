import type { Requirements } from '../../core/access/authorizer.ts';
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

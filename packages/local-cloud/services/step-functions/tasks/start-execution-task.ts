import type { Principal } from '../../../core/access/principal.ts';
import type { StatesPort } from '../../../core/ports.ts';
import { type Json, type JsonObject, textOf } from '../json.ts';
import { sdkMetadata, serviceError } from './service-error.ts';

/** `arn:aws:states:::states:startExecution`: starts an execution without waiting for it. */
export async function startExecution(states: StatesPort, members: JsonObject, caller: Principal): Promise<Json> {
  const { StateMachineArn, Input = {}, Name } = members;
  try {
    const { executionArn } = await states.start({
      stateMachineArn: String(StateMachineArn),
      input: textOf(Input),
      caller,
      ...(Name !== undefined && { name: String(Name) }),
    });
    return { ExecutionArn: executionArn, ...sdkMetadata(200) };
  } catch (error) {
    throw serviceError('Sfn', error);
  }
}

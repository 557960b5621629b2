import { AwsError } from '../../../core/aws-error.ts';
import type { Operation } from '../../../core/operations.ts';
import type { Frame } from '../frame.ts';
import type { Json } from '../json.ts';
import type { Executions } from '../runtime/executions.ts';
import { looksLikeTaskToken } from '../runtime/task-calls.ts';
import type { ExecutionStore } from '../storage/execution-store.ts';
import { checkLength, missing } from './errors.ts';

const OUTPUT_LIMIT = 262_144;

/** `SendTaskSuccess`, `SendTaskFailure` and `SendTaskHeartbeat`: the outcome is stored before the answer. */
export function taskTokenOperations(store: ExecutionStore, executions: Executions): Record<string, Operation> {
  const { tasks } = executions.interpreter;
  const withTask = (token: string | undefined, report: (frame: Frame, token: string) => boolean) => {
    if (token === undefined) throw missing('taskToken');
    if (!looksLikeTaskToken(token)) throw new AwsError('InvalidToken', "Invalid Token: 'Invalid token'");
    const place = store.token(token);
    if (!place) throw new AwsError('TaskDoesNotExist', "Task does not exist: 'The task of this token does not exist'");
    const frame = executions.frameOf(place);
    if (!frame || !report(frame, token)) {
      throw new AwsError('TaskTimedOut', "Task Timed Out: 'Provided task does not exist anymore'");
    }
    return {};
  };

  return {
    SendTaskSuccess: {
      members: ['taskToken', 'output'],
      run(input: { taskToken?: string; output?: string }) {
        if (input.output === undefined) throw missing('output');
        checkLength('output', input.output, OUTPUT_LIMIT);
        const result = parseOutput(input.output);
        return withTask(input.taskToken, (frame, token) => tasks.settleByToken(frame, token, { result }));
      },
    },
    SendTaskFailure: {
      members: ['taskToken', 'error', 'cause'],
      run(input: { taskToken?: string; error?: string; cause?: string }) {
        checkLength('error', input.error, 256);
        checkLength('cause', input.cause, 32_768);
        const outcome = { error: input.error ?? '', ...(input.cause !== undefined && { cause: input.cause }) };
        return withTask(input.taskToken, (frame, token) => tasks.settleByToken(frame, token, outcome));
      },
    },
    SendTaskHeartbeat: {
      members: ['taskToken'],
      run: (input: { taskToken?: string }) =>
        withTask(input.taskToken, (frame, token) => tasks.heartbeat(frame, token)),
    },
  };
}

function parseOutput(output: string): Json {
  try {
    return JSON.parse(output) as Json;
  } catch (error) {
    throw new AwsError('InvalidOutput', `Invalid Output: '${(error as Error).message}'`);
  }
}

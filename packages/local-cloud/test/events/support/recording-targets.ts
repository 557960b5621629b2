import type { Principal } from '../../../core/access/principal.ts';
import { AwsError } from '../../../core/aws-error.ts';
import type { LambdaPort, StatesPort } from '../../../core/ports.ts';

export const FUNCTION_ARN = 'arn:aws:lambda:us-east-1:000000000000:function:handler';
export const MACHINE_ARN = 'arn:aws:states:us-east-1:000000000000:stateMachine:runs';

/** Functions and state machines that record their input and fail on demand. */
export class RecordingTargets {
  readonly invocations: { functionName: string; payload: unknown; type: string; caller: Principal }[] = [];
  readonly executions: { stateMachineArn: string; name: string | undefined; input: unknown }[] = [];
  /** Thrown at the next calls, one each. */
  readonly failures: Error[] = [];
  attempts = 0;
  #waiting: { count: number; resolve: () => void }[] = [];

  readonly lambda: LambdaPort = {
    invoke: async ({ functionName, payload, type, caller }) => {
      this.#attempt();
      this.invocations.push({ functionName, payload: JSON.parse(String(payload)), type, caller });
      this.#wake();
      return { statusCode: 202, payload: Buffer.alloc(0) };
    },
    invokeStreaming: () => Promise.reject(new Error('Events do not stream.')),
  };

  readonly states: StatesPort = {
    start: async ({ stateMachineArn, name, input }) => {
      this.#attempt();
      this.executions.push({ stateMachineArn, name, input: JSON.parse(input) });
      this.#wake();
      return { executionArn: `${stateMachineArn}:${name}` };
    },
  };

  /** Resolves after this many calls, including failed ones. */
  untilAttempts(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ count, resolve });
      this.#wake();
    });
  }

  #attempt(): void {
    this.attempts += 1;
    this.#wake();
    const failure = this.failures.shift();
    if (failure) throw failure;
  }

  #wake(): void {
    for (const { count, resolve } of this.#waiting) if (this.attempts >= count) resolve();
  }
}

export const throttled = () => new AwsError('TooManyRequestsException', 'Rate Exceeded.', { status: 429 });
export const gone = () => new AwsError('ResourceNotFoundException', 'Function not found', { status: 404 });

import { AwsError } from '../core/aws-error.ts';
import type { CloudEvent, EcsPort, EcsTask, EventsPort, InvokeResult, LambdaPort, SqsPort } from '../core/ports.ts';
import { StateError } from '../services/step-functions/state-error.ts';

export type Answer = (event: unknown, call: number) => unknown;

/** A function's failure as the Lambda runtime reports it. */
export class FunctionFailure {
  readonly payload: unknown;
  constructor(payload: unknown) {
    this.payload = payload;
  }
}

/** What the service makes of a test's answer. Throws an `AwsError` or a `StateError`. */
export function functionReply(answer: unknown, type: string): InvokeResult {
  if (answer instanceof AwsError || answer instanceof StateError) throw answer;
  if (answer instanceof FunctionFailure) {
    return { statusCode: 200, functionError: 'Unhandled', payload: Buffer.from(JSON.stringify(answer.payload)) };
  }
  return { statusCode: type === 'Event' ? 202 : 200, payload: Buffer.from(JSON.stringify(answer ?? null)) };
}

/**
 * Functions answered by the test, with every call recorded. An answer may be a promise, a `FunctionFailure` or an
 * `AwsError`.
 */
export class RecordingLambda implements LambdaPort {
  readonly calls: { functionName: string; event: unknown; type: string }[] = [];
  readonly #answers = new Map<string, Answer>();
  readonly #counts = new Map<string, number>();

  answer(functionName: string, answer: Answer): void {
    this.#answers.set(functionName, answer);
  }

  events(functionName: string): unknown[] {
    return this.calls.filter((call) => call.functionName === functionName).map((call) => call.event);
  }

  async invoke({ functionName, payload, type }: Parameters<LambdaPort['invoke']>[0]): Promise<InvokeResult> {
    const event: unknown = JSON.parse(payload.toString());
    this.calls.push({ functionName, event, type });
    const count = (this.#counts.get(functionName) ?? 0) + 1;
    this.#counts.set(functionName, count);
    const answer = this.#answers.get(functionName);
    if (!answer)
      throw new AwsError('ResourceNotFoundException', `Function not found: ${functionName}`, { status: 404 });
    return functionReply(await answer(event, count), type);
  }

  async invokeStreaming(): Promise<void> {
    throw new Error('Step Functions does not stream.');
  }
}

/** Queues that record sent messages; a queue named `missing` does not exist. */
export class RecordingSqs implements Pick<SqsPort, 'send'> {
  readonly sent: Parameters<SqsPort['send']>[0][] = [];

  async send(message: Parameters<SqsPort['send']>[0]): Promise<{ messageId: string }> {
    if (message.queueArn.endsWith(':missing')) {
      throw new AwsError('QueueDoesNotExist', 'The specified queue does not exist.');
    }
    this.sent.push(message);
    return { messageId: `message-${this.sent.length}` };
  }
}

/** ECS without a cluster. */
export class NoTasks implements EcsPort {
  async perform(): Promise<never> {
    throw new AwsError('ClusterNotFoundException', 'Cluster not found.');
  }

  whenStopped(): Promise<EcsTask> {
    return new Promise(() => undefined);
  }
}

/** A bus that records its events, and rejects them while `rejecting`. */
export class RecordingEvents implements EventsPort {
  readonly published: CloudEvent[] = [];
  rejecting = false;

  async publish(events: CloudEvent[]): Promise<void> {
    if (this.rejecting) throw new Error('The bus is away.');
    this.published.push(...events);
  }

  details(): Record<string, unknown>[] {
    return this.published.map((event) => event.detail as Record<string, unknown>);
  }
}

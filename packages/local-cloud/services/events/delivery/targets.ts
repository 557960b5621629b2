import { AwsError, unsupported } from '../../../core/aws-error.ts';
import type { EventsPort, LambdaPort, SqsPort, StatesPort } from '../../../core/ports.ts';
import type { Delivery } from './journal.ts';

export interface TargetPorts {
  lambda: LambdaPort;
  sqs: SqsPort;
  states: StatesPort;
  /** The default bus, for services that support it as a target. */
  events?: EventsPort;
}

const RETRYABLE_CODES = /throttl|toomanyrequests|limitexceeded|concurren/i;

/** The supported targets: functions, queues, state machines, and the default bus if it is given. */
export class Targets {
  readonly #service: string;
  readonly #ports: TargetPorts;

  constructor(service: string, ports: TargetPorts) {
    this.#service = service;
    this.#ports = ports;
  }

  /** Throws `UnsupportedOperationException` for an unsupported kind of ARN. */
  check(arn: string): void {
    this.#kind(arn);
  }

  async send({ id, targetArn, payload, messageGroupId, event, caller }: Delivery): Promise<void> {
    const { lambda, sqs, states, events } = this.#ports;
    switch (this.#kind(targetArn)) {
      case 'lambda':
        await lambda.invoke({ functionName: targetArn, payload, type: 'Event', caller });
        return;
      case 'sqs':
        await sqs.send({
          ...{ queueArn: targetArn, body: payload, caller },
          ...(messageGroupId !== undefined && { messageGroupId }),
        });
        return;
      case 'states':
        await startOnce(states, { stateMachineArn: targetArn, name: id, input: payload, caller });
        return;
      case 'bus':
        await events?.publish([{ source: '', detailType: '', ...event, detail: JSON.parse(payload) }], caller);
    }
  }

  #kind(arn: string): 'lambda' | 'sqs' | 'states' | 'bus' {
    if (/^arn:aws:lambda:[^:]+:\d+:function:/.test(arn)) return 'lambda';
    if (/^arn:aws:sqs:/.test(arn)) return 'sqs';
    if (/^arn:aws:states:[^:]+:\d+:stateMachine:/.test(arn)) return 'states';
    if (this.#ports.events && /^arn:aws:events:[^:]+:\d+:event-bus\/default$/.test(arn)) return 'bus';
    throw unsupported(this.#service, `the target ${arn}`);
  }
}

/** The name lets a repeated delivery find the first one's execution, even if that has ended. */
async function startOnce(states: StatesPort, call: Parameters<StatesPort['start']>[0]): Promise<void> {
  try {
    await states.start(call);
  } catch (error) {
    if (!(error instanceof AwsError && error.code === 'ExecutionAlreadyExists')) throw error;
  }
}

/** Whether a later attempt may succeed; not if the target is gone or rejects its input. */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof AwsError)) return true;
  return error.status >= 500 || error.status === 429 || RETRYABLE_CODES.test(error.code);
}

import { unsupported } from '../../../core/aws-error.ts';
import type { SqsPort } from '../../../core/ports.ts';

const SQS_ARN = /^arn:aws:sqs:/;
const LAMBDA_ARN = /^arn:aws:lambda:[^:]+:\d+:function:/;

/** Where the outcome of asynchronous work is sent: queues and functions. */
export class Destinations {
  readonly #sqs: SqsPort;
  readonly #callFunction: (arn: string, payload: Buffer) => void;
  readonly #log: (message: string) => void;

  constructor(sqs: SqsPort, callFunction: (arn: string, payload: Buffer) => void, log: (message: string) => void) {
    this.#sqs = sqs;
    this.#callFunction = callFunction;
    this.#log = log;
  }

  /** Refuses an ARN of a kind that is not supported, by name. */
  check(arn: string): void {
    if (!SQS_ARN.test(arn) && !LAMBDA_ARN.test(arn)) throw unsupported('lambda', `the destination ${arn}`);
  }

  /** Sends the record of an outcome; a destination that is gone is logged and given up, as on Lambda. */
  async send(arn: string, record: object): Promise<void> {
    const body = JSON.stringify(record);
    try {
      if (SQS_ARN.test(arn)) await this.#sqs.send({ queueArn: arn, body });
      else this.#callFunction(arn, Buffer.from(body));
    } catch (error) {
      this.#log(`lambda: the destination ${arn} did not take a record: ${String(error)}`);
    }
  }
}

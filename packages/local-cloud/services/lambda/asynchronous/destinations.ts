import type { Principal } from '../../../core/access/principal.ts';
import { unsupported } from '../../../core/aws-error.ts';
import type { SqsPort } from '../../../core/ports.ts';

const SQS_ARN = /^arn:aws:sqs:/;
const LAMBDA_ARN = /^arn:aws:lambda:[^:]+:\d+:function:/;

type FunctionCall = (arn: string, payload: Buffer, caller: Principal) => void;

/** Destinations for outcomes of asynchronous work: queues and functions. */
export class Destinations {
  readonly #sqs: SqsPort;
  readonly #callFunction: FunctionCall;
  readonly #log: (message: string) => void;

  constructor(sqs: SqsPort, callFunction: FunctionCall, log: (message: string) => void) {
    this.#sqs = sqs;
    this.#callFunction = callFunction;
    this.#log = log;
  }

  /** Rejects an unsupported kind of ARN by name. */
  check(arn: string): void {
    if (!SQS_ARN.test(arn) && !LAMBDA_ARN.test(arn)) throw unsupported('lambda', `the destination ${arn}`);
  }

  /**
   * Sends the record of an outcome as the role of the function. A missing destination is logged and skipped, as on
   * Lambda.
   */
  async send(arn: string, record: object, caller: Principal): Promise<void> {
    const body = JSON.stringify(record);
    try {
      if (SQS_ARN.test(arn)) await this.#sqs.send({ queueArn: arn, body, caller });
      else this.#callFunction(arn, Buffer.from(body), caller);
    } catch (error) {
      this.#log(`lambda: the destination ${arn} rejected a record: ${String(error)}`);
    }
  }
}

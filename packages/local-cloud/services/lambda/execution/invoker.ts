import { AwsError } from '../../../core/aws-error.ts';
import type { CloudContext } from '../../../core/service.ts';
import type { Target } from '../model.ts';
import { throttled } from './concurrency.ts';
import type { Execution, Executor, Invocation } from './executor.ts';

/** Runs a function for its callers, and applies the faults of `Invoke`. */
export class Invoker {
  readonly #context: CloudContext;
  readonly #executor: Executor;

  constructor(context: CloudContext, executor: Executor) {
    this.#context = context;
    this.#executor = executor;
  }

  /** Rejects with `TooManyRequestsException`, or with `ServiceException` when a fault strikes. */
  async invoke(target: Target, invocation: Invocation): Promise<Execution> {
    await this.#strike(target);
    return this.#executor.execute(target, invocation);
  }

  async #strike(target: Target): Promise<void> {
    const { faults, clock } = this.#context;
    const fault = faults.strike({
      service: 'lambda',
      operation: 'Invoke',
      resource: target.record.name,
      effects: ['throttle', 'error', 'delay'],
    });
    switch (fault?.effect) {
      case 'throttle':
        throw throttled('CallerRateLimitExceeded');
      case 'error':
        throw new AwsError('ServiceException', 'Lambda encountered an internal error.', { status: 500 });
      case 'delay':
        await new Promise<void>((resolve) => clock.schedule(clock.now() + (fault.delayMs ?? 0), resolve));
    }
  }
}

import { AwsError } from '../../core/aws-error.ts';
import type { FaultEffect, FaultRule } from '../../core/faults.ts';
import type { Engine } from './engine.ts';
import { conditionFailed } from './errors.ts';
import type { Operation } from './operations.ts';
import { transactionConflict } from './transactions.ts';

/** Runs operations, with the faults that the fault switch injects. */
export class FaultSwitch {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  // biome-ignore lint/suspicious/noExplicitAny: the operation knows the type of its input, which was checked
  async run(name: string, operation: Operation, input: any): Promise<Record<string, unknown>> {
    const { faults, clock } = this.#engine.context;
    if (faults.rules.length === 0) return operation.run(this.#engine, input);
    const tables = operation.tables(input);
    const place = { service: 'dynamodb', operation: name, resource: tables.join(',') };
    const late = faults.strike({ ...place, effects: ['delay'] });
    if (late) {
      await new Promise<void>((resolve) => {
        clock.schedule(clock.now() + (late.delayMs ?? 0), resolve);
      });
    }
    const rule = faults.strike({ ...place, effects: effectsOn(operation) });
    if (rule) return this.#strike(rule, operation, input, tables);
    return operation.run(this.#engine, input);
  }

  #strike(
    rule: FaultRule,
    operation: Operation,
    // biome-ignore lint/suspicious/noExplicitAny: see `run`
    input: any,
    tables: string[],
  ): Record<string, unknown> {
    switch (rule.effect) {
      case 'throttle': {
        // A throttled batch is processed in part; a batch of one request has no part.
        const size = operation.partial?.size(input) ?? 0;
        if (operation.partial && size > 1) return operation.partial.run(this.#engine, input, Math.floor(size / 2));
        throw this.#throttled(operation, tables);
      }
      case 'conflict':
        if (operation.nature === 'transaction') throw transactionConflict(input.TransactItems.length);
        if (input.ConditionExpression !== undefined) throw conditionFailed();
        throw new AwsError('TransactionConflictException', 'Transaction is ongoing for the item');
      case 'lostAnswer':
        operation.run(this.#engine, input);
        throw internalError();
      default:
        throw internalError();
    }
  }

  #throttled(operation: Operation, tables: string[]): AwsError {
    if (operation.nature === 'control') return new AwsError('ThrottlingException', 'Rate exceeded');
    const provisioned = tables.some((name) => this.#engine.catalogue.find(name)?.billingMode === 'PROVISIONED');
    return provisioned
      ? new AwsError(
          'ProvisionedThroughputExceededException',
          'The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.',
        )
      : new AwsError(
          'ThrottlingException',
          'Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index so please try again shortly. If exceptions persist, check if you have a hot key: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html',
        );
  }
}

function effectsOn({ nature, partial }: Operation): FaultEffect[] {
  const effects: FaultEffect[] = ['throttle', 'error', 'lostAnswer'];
  // A batch has no conditions, and no conflict fails it as a whole.
  if (nature === 'transaction' || (nature === 'write' && !partial)) effects.push('conflict');
  return effects;
}

function internalError(): AwsError {
  return new AwsError('InternalServerError', 'The request could not be completed due to an internal error.', {
    status: 500,
  });
}

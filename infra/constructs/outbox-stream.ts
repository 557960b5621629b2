import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { FilterCriteria, FilterRule, type IFunction, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { allow } from './grants.ts';
import { deadLetterQueue } from './worker-queue.ts';

/** Invokes the consumer with the outbox items of the table's stream only. */
export class OutboxStream extends Construct {
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: { table: ITable; consumer: IFunction }) {
    super(scope, id);
    this.deadLetters = deadLetterQueue(this);
    allow(props.consumer, ['sqs:SendMessage'], [this.deadLetters.queueArn]);
    props.consumer.addEventSource(
      new DynamoEventSource(props.table, {
        startingPosition: StartingPosition.TRIM_HORIZON,
        batchSize: 100,
        bisectBatchOnError: true,
        reportBatchItemFailures: true,
        retryAttempts: 10,
        onFailure: { bind: () => ({ destination: this.deadLetters.queueArn }) },
        filters: [
          FilterCriteria.filter({
            eventName: FilterRule.isEqual('INSERT'),
            dynamodb: { NewImage: { entity: { S: FilterRule.isEqual('outbox') } } },
          }),
        ],
      }),
    );
  }
}

import { Duration } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

export interface DeliveryQueueProps {
  consumer: IFunction;
  consumerTimeout: Duration;
  batchSize: number;
  /** The most consumers at once. */
  maxConcurrency: number;
  /** Receives before a message goes to the dead-letter queue. */
  maxReceives: number;
  /**
   * How long a message is hidden from others once it was received; by default six timeouts of the consumer, as AWS
   * advises. Less is right for a consumer that two may safely be at once, and that dies often enough to matter.
   */
  visibility?: Duration;
  /** Where messages end that could not be handled, when that is not a queue of its own. */
  deadLetters?: Queue;
}

/** A queue, its dead-letter queue and its consumer, which reports failed messages one by one. */
export class DeliveryQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: DeliveryQueueProps) {
    super(scope, id);
    this.deadLetters =
      props.deadLetters ??
      new Queue(this, 'DeadLetters', {
        encryption: QueueEncryption.SQS_MANAGED,
        enforceSSL: true,
        retentionPeriod: Duration.days(14),
      });
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(4),
      visibilityTimeout: props.visibility ?? Duration.seconds(props.consumerTimeout.toSeconds() * 6),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: props.maxReceives },
    });
    props.consumer.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: props.batchSize,
        reportBatchItemFailures: true,
        maxConcurrency: props.maxConcurrency,
      }),
    );
  }
}

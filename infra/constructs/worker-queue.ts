import { Duration, Names } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { ConsumedQueue } from '../../functions/resources.ts';
import { allow } from './grants.ts';

/** After this many failed receives, a message moves to the dead-letter queue. */
const MAX_RECEIVES = 5;

export interface WorkerQueueProps {
  visibilitySeconds: number;
  /** A dead-letter queue to share; one of its own when absent. */
  deadLetters?: Queue;
}

/** A queue with its dead-letter queue. */
export class WorkerQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: WorkerQueueProps) {
    super(scope, id);
    this.deadLetters = props.deadLetters ?? deadLetterQueue(this);
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(4),
      visibilityTimeout: Duration.seconds(props.visibilitySeconds),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: MAX_RECEIVES },
    });
  }

  /** Invokes the consumer with messages; it reports the failed ones of a batch. */
  feed(consumer: IFunction, { batchSize, maxConcurrency }: ConsumedQueue): void {
    // CDK's own event source also grants what Lambda does not need: to look up queues and to change visibility.
    allow(consumer, ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'], [this.queue.queueArn]);
    consumer.addEventSourceMapping(`SqsEventSource:${Names.nodeUniqueId(this.queue.node)}`, {
      eventSourceArn: this.queue.queueArn,
      batchSize,
      reportBatchItemFailures: true,
      maxConcurrency,
    });
  }
}

export function deadLetterQueue(scope: Construct): Queue {
  return new Queue(scope, 'DeadLetters', {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
}

import { Duration } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { BundledFunction } from './bundled-function.ts';
import { DeliveryQueue } from './delivery-queue.ts';
import type { EndpointGroup } from './endpoint-group.ts';
import { allow, grantTable } from './grants.ts';
import { OutboxStream } from './outbox-stream.ts';
import { ScheduleTick } from './schedule-tick.ts';

export interface WebhookPlaneProps {
  table: TableV2;
  /** The operations under `/api/webhooks`. */
  group: EndpointGroup;
  environment: Record<string, string>;
  allowedPrivateCidrs: string;
  /** Seconds before the second, third, fourth and fifth attempt. */
  backoffSeconds: readonly number[];
  grantMasterSecret(grantee: IFunction): void;
}

/** A message comes back only after a fault of ours: every further attempt of a delivery has a message of its own. */
const MAX_RECEIVES = 5;

/** Tells webhooks: outbox items from the table's stream become deliveries, and the queue wakes their sender. */
export class WebhookPlane extends Construct {
  readonly deliveries: DeliveryQueue;
  /** For webhooks that answer late: senders of its own, the same end. */
  readonly slowDeliveries: DeliveryQueue;
  readonly outbox: OutboxStream;
  readonly fanOut: BundledFunction;
  readonly sender: BundledFunction;

  constructor(scope: Construct, id: string, props: WebhookPlaneProps) {
    super(scope, id);
    // What is taken in the fifth second (`meanwhile.ts`) may wait for a permit, and then has ten seconds for its answer.
    const senderTimeout = Duration.seconds(22);
    this.sender = new BundledFunction(this, 'Sender', {
      name: 'deliver-webhook',
      description: 'Sends webhook deliveries.',
      memoryMb: 256,
      timeout: senderTimeout,
      environment: {
        ...props.environment,
        ALLOWED_PRIVATE_CIDRS: props.allowedPrivateCidrs,
        WEBHOOK_TIMEOUT_MS: '10000',
        WEBHOOK_BACKOFF_SECONDS: props.backoffSeconds.join(','),
      },
    });
    const lane = {
      consumer: this.sender,
      consumerTimeout: senderTimeout,
      batchSize: 10,
      maxReceives: MAX_RECEIVES,
      // The record says who is sending, so a second sender does no harm; and what a killed one held goes on soon.
      visibility: Duration.seconds(25),
    };
    // A request may take ten seconds and keeps its batch waiting; what is known to hang does so in the other lane.
    this.deliveries = new DeliveryQueue(this, 'Deliveries', { ...lane, maxConcurrency: 40 });
    const { deadLetters } = this.deliveries;
    this.slowDeliveries = new DeliveryQueue(this, 'SlowDeliveries', { ...lane, maxConcurrency: 10, deadLetters });
    this.fanOut = new BundledFunction(this, 'FanOut', {
      name: 'fan-out-events',
      description: 'Makes a delivery per subscribed webhook from each event.',
      memoryMb: 256,
      timeout: Duration.seconds(60),
      environment: props.environment,
    });
    this.outbox = new OutboxStream(this, 'Outbox', { table: props.table, consumer: this.fanOut });
    new ScheduleTick(this, 'Sweep', {
      target: this.sender,
      description: 'Wakes webhook deliveries that the queue forgot.',
    });

    const [main, slow] = [this.deliveries.queue, this.slowDeliveries.queue];
    for (const worker of [this.sender, this.fanOut]) {
      grantTable(worker, props.table, 'readWrite');
      allow(worker, ['sqs:SendMessage'], [main.queueArn, slow.queueArn]);
      worker.expect('DELIVERY_QUEUE_URL', main.queueUrl).expect('SLOW_DELIVERY_QUEUE_URL', slow.queueUrl);
    }
    allow(props.group.function, ['sqs:SendMessage'], [main.queueArn]);
    props.group.function.expect('DELIVERY_QUEUE_URL', main.queueUrl);
    props.grantMasterSecret(this.sender);
  }
}

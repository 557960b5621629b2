import { Duration } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { BundledFunction } from './bundled-function.ts';
import { DeliveryQueue } from './delivery-queue.ts';
import { allow, grantObjects, grantTable } from './grants.ts';

export interface QueuedWorkerProps {
  table: TableV2;
  bucket: Bucket;
  environment: Record<string, string>;
  allowedPrivateCidrs: string;
  grantMasterSecret(grantee: IFunction): void;
  /** The bundle of the worker. */
  name: string;
  description: string;
  memoryMb: number;
  scratchMb?: number;
  /** The queue's part of its name, and the variable in which the senders find its address. */
  queue: { id: string; variable: string };
  /** Functions that send work; the worker may send some to itself. */
  senders: readonly BundledFunction[];
}

/** Work that takes longer than a request may: a queue, and a worker that holds one message at a time. */
export class QueuedWorker extends Construct {
  readonly queue: DeliveryQueue;
  readonly worker: BundledFunction;

  constructor(scope: Construct, id: string, props: QueuedWorkerProps) {
    super(scope, id);
    const { name, description, memoryMb, scratchMb } = props;
    const timeout = Duration.minutes(15);
    this.worker = new BundledFunction(this, 'Worker', {
      name,
      description,
      memoryMb,
      timeout,
      ...(scratchMb !== undefined && { scratchMb }),
      environment: {
        ...props.environment,
        DATA_BUCKET: props.bucket.bucketName,
        ...(scratchMb !== undefined && { SCRATCH_MB: String(scratchMb) }),
        ALLOWED_PRIVATE_CIDRS: props.allowedPrivateCidrs,
      },
    });
    this.queue = new DeliveryQueue(this, props.queue.id, {
      consumer: this.worker,
      consumerTimeout: timeout,
      batchSize: 1,
      maxConcurrency: 20,
      maxReceives: 5,
    });
    grantTable(this.worker, props.table, 'readWrite');
    grantObjects(this.worker, props.bucket, 'readWrite');
    props.grantMasterSecret(this.worker);
    const { queueArn, queueUrl } = this.queue.queue;
    for (const sender of [...props.senders, this.worker]) {
      allow(sender, ['sqs:SendMessage'], [queueArn]);
      sender.expect(props.queue.variable, queueUrl);
    }
  }
}

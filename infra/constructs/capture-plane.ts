import { Duration } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { BundledFunction } from './bundled-function.ts';
import { DeliveryQueue } from './delivery-queue.ts';
import { allow, grantObjects, grantTable } from './grants.ts';

export interface CapturePlaneProps {
  table: TableV2;
  bucket: Bucket;
  environment: Record<string, string>;
  allowedPrivateCidrs: string;
  grantMasterSecret(grantee: IFunction): void;
  /** Functions that ask for captures. */
  askers: readonly BundledFunction[];
}

/** What takes over the changes of sources: a queue of turns, and a worker that gives each to one stream. */
export class CapturePlane extends Construct {
  readonly queue: DeliveryQueue;
  readonly worker: BundledFunction;

  constructor(scope: Construct, id: string, props: CapturePlaneProps) {
    super(scope, id);
    // A transaction of any size is taken over as a whole.
    const timeout = Duration.minutes(15);
    this.worker = new BundledFunction(this, 'Worker', {
      name: 'capture-changes',
      description: 'Takes over the changes of Postgres sources.',
      memoryMb: 1024,
      timeout,
      environment: {
        ...props.environment,
        DATA_BUCKET: props.bucket.bucketName,
        ALLOWED_PRIVATE_CIDRS: props.allowedPrivateCidrs,
      },
    });
    this.queue = new DeliveryQueue(this, 'Captures', {
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
    for (const sender of [...props.askers, this.worker]) {
      allow(sender, ['sqs:SendMessage'], [queueArn]);
      sender.expect('CAPTURE_QUEUE_URL', queueUrl);
    }
  }
}

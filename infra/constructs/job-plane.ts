import { Duration } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { BundledFunction } from './bundled-function.ts';
import { DeliveryQueue } from './delivery-queue.ts';
import { allow, grantObjects, grantTable } from './grants.ts';

export interface JobPlaneProps {
  table: TableV2;
  bucket: Bucket;
  environment: Record<string, string>;
  allowedPrivateCidrs: string;
  grantMasterSecret(grantee: IFunction): void;
  /** Functions that start jobs. */
  starters: readonly BundledFunction[];
}

/** Work that takes longer than a request may: a queue, and a worker that carries the engine and holds one job at a time. */
export class JobPlane extends Construct {
  readonly queue: DeliveryQueue;
  readonly worker: BundledFunction;

  constructor(scope: Construct, id: string, props: JobPlaneProps) {
    super(scope, id);
    const scratchMb = 10_240;
    const timeout = Duration.minutes(15);
    this.worker = new BundledFunction(this, 'Worker', {
      name: 'run-job',
      description: 'Refreshes datasets, reads catalogues of data sources, runs long queries.',
      memoryMb: 4096,
      timeout,
      scratchMb,
      environment: {
        ...props.environment,
        DATA_BUCKET: props.bucket.bucketName,
        SCRATCH_MB: String(scratchMb),
        ALLOWED_PRIVATE_CIDRS: props.allowedPrivateCidrs,
      },
    });
    this.queue = new DeliveryQueue(this, 'Jobs', {
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
    for (const sender of [...props.starters, this.worker]) {
      allow(sender, ['sqs:SendMessage'], [queueArn]);
      sender.expect('JOB_QUEUE_URL', queueUrl);
    }
  }
}

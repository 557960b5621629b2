import { Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { OBJECT_AREAS } from '../../functions/resources.ts';
import type { WorkerQueue } from './worker-queue.ts';

/** Sends uploaded files to a queue as one message group, so that a flood of files delays only its own messages. */
export function sendUploads(scope: Construct, bucket: IBucket, { queue, deadLetters }: WorkerQueue): void {
  new Rule(scope, 'Uploads', {
    description: 'Files uploaded to data sources.',
    eventPattern: {
      source: ['aws.s3'],
      detailType: ['Object Created'],
      detail: { bucket: { name: [bucket.bucketName] }, object: { key: [{ wildcard: OBJECT_AREAS.uploads }] } },
    },
    targets: [new SqsQueue(queue, { messageGroupId: 'uploads', deadLetterQueue: deadLetters })],
  });
}

import { type IRuleTarget, Rule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { OBJECT_AREAS } from '../../functions/resources.ts';
import type { WorkerQueue } from './worker-queue.ts';

/** Sends uploaded files to a queue as one message group, so that a flood of files delays only its own messages. */
export function sendUploads(scope: Construct, bucket: IBucket, queues: WorkerQueue): void {
  new Rule(scope, 'Uploads', {
    description: 'Files uploaded to data sources.',
    eventPattern: {
      source: ['aws.s3'],
      detailType: ['Object Created'],
      detail: { bucket: { name: [bucket.bucketName] }, object: { key: [{ wildcard: OBJECT_AREAS.uploads }] } },
    },
    targets: [targetOf(queues)],
  });
}

/** CDK's own target also lets EventBridge look up the queue, which it does not need. */
function targetOf({ queue, deadLetters }: WorkerQueue): IRuleTarget {
  return {
    bind({ ruleRef: { ruleArn } }) {
      for (const each of [queue, deadLetters]) allowRule(each, ruleArn);
      return {
        arn: queue.queueArn,
        sqsParameters: { messageGroupId: 'uploads' },
        deadLetterConfig: { arn: deadLetters.queueArn },
        targetResource: queue,
      };
    },
  };
}

function allowRule(queue: Queue, ruleArn: string): void {
  queue.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('events.amazonaws.com')],
      actions: ['sqs:SendMessage'],
      resources: [queue.queueArn],
      conditions: { ArnEquals: { 'aws:SourceArn': ruleArn } },
    }),
  );
}

import {
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  type QueueAttributeName,
  SetQueueAttributesCommand,
} from '@aws-sdk/client-sqs';
import { recorded, resourceType, unless } from '../resource-type.ts';
import { document, flag, list, number, object, policyDocument, required, tags, text } from '../shapes.ts';

/** Defaults of a queue, sent explicitly so that a removed property returns to its default. */
const DEFAULTS: Record<string, string> = {
  DelaySeconds: '0',
  MessageRetentionPeriod: '345600',
  ReceiveMessageWaitTimeSeconds: '0',
  RedriveAllowPolicy: '',
  RedrivePolicy: '',
  SqsManagedSseEnabled: 'true',
  VisibilityTimeout: '30',
};

const GONE = ['QueueDoesNotExist', 'AWS.SimpleQueueService.NonExistentQueue'];

const queueProperties = {
  ContentBasedDeduplication: flag,
  DeduplicationScope: text,
  DelaySeconds: number,
  FifoQueue: flag,
  FifoThroughputLimit: text,
  MaximumMessageSize: number,
  MessageRetentionPeriod: number,
  QueueName: text,
  ReceiveMessageWaitTimeSeconds: number,
  RedriveAllowPolicy: document,
  RedrivePolicy: object({ deadLetterTargetArn: required(text), maxReceiveCount: required(number) }),
  SqsManagedSseEnabled: flag,
  Tags: tags,
  VisibilityTimeout: number,
} as const;

export const queue = resourceType('AWS::SQS::Queue', {
  properties: queueProperties,
  attributes: ['Arn', 'QueueName', 'QueueUrl'],
  naming: { property: 'QueueName', maxLength: 80 },
  fixed: ['FifoQueue'],
  answersAddress: true,
  async provision({ name, properties, context }) {
    const { sqs } = context.clients;
    const { QueueName: _name, Tags: _tags, ...rest } = properties;
    const Attributes = { ...DEFAULTS };
    for (const [attribute, value] of Object.entries(rest)) {
      Attributes[attribute] = typeof value === 'object' ? JSON.stringify(value) : String(value);
    }
    const found = await unless(GONE, sqs.send(new GetQueueUrlCommand({ QueueName: name })));
    const QueueUrl =
      found?.QueueUrl ?? (await sqs.send(new CreateQueueCommand({ QueueName: name, Attributes }))).QueueUrl;
    if (found) {
      // A queue is FIFO from its creation or never.
      const { FifoQueue: _fifo, ...changeable } = Attributes;
      await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: changeable }));
    }
    const read = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }));
    const Arn = read.Attributes?.QueueArn as string;
    return { ref: QueueUrl as string, attributes: { Arn, QueueName: name, QueueUrl: QueueUrl as string } };
  },
  async remove({ ref, context }) {
    await unless(GONE, context.clients.sqs.send(new DeleteQueueCommand({ QueueUrl: ref })));
  },
});

export const queuePolicy = resourceType('AWS::SQS::QueuePolicy', {
  properties: { PolicyDocument: required(policyDocument), Queues: required(list(text)) },
  async provision({ properties, previous, name, context }) {
    const Policy = JSON.stringify(properties.PolicyDocument);
    const dropped = (previous?.properties.Queues ?? []).filter((url) => !properties.Queues.includes(url));
    for (const url of dropped) await setPolicy(url, '');
    for (const url of properties.Queues) await setPolicy(url, Policy);
    return { ref: name };

    async function setPolicy(QueueUrl: string, text: string): Promise<void> {
      const Attributes: Partial<Record<QueueAttributeName, string>> = { Policy: text };
      await context.clients.sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));
    }
  },
  async remove({ properties, context }) {
    for (const QueueUrl of properties.Queues) {
      await unless(
        GONE,
        context.clients.sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy: '' } })),
      );
    }
  },
});

export const topic = recorded('AWS::SNS::Topic', {
  properties: { DisplayName: text, KmsMasterKeyId: text, Tags: tags, TopicName: text },
  attributes: ['TopicArn', 'TopicName'],
  naming: { property: 'TopicName', maxLength: 256 },
  answer({ name, context }) {
    const arn = `arn:aws:sns:${context.region}:${context.accountId}:${name}`;
    return { ref: arn, attributes: { TopicArn: arn, TopicName: name } };
  },
});

export const topicPolicy = recorded('AWS::SNS::TopicPolicy', {
  properties: { PolicyDocument: required(document), Topics: required(list(text)) },
});

export const subscription = recorded('AWS::SNS::Subscription', {
  properties: { Endpoint: text, Protocol: required(text), TopicArn: required(text) },
});

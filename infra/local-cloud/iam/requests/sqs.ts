import type { Requirements } from '../../core/access/authorizer.ts';
import { ANY, arnOf, lastSegment } from './place.ts';

interface Input {
  QueueUrl?: string;
  QueueName?: string;
  SourceArn?: string;
}

/** A batch needs the permission of its single operation. */
const SINGLE: Readonly<Record<string, string>> = {
  SendMessageBatch: 'SendMessage',
  DeleteMessageBatch: 'DeleteMessage',
  ChangeMessageVisibilityBatch: 'ChangeMessageVisibility',
};

export const sqsRequests: Requirements = (operation, { QueueUrl, QueueName, SourceArn }: Input, place) => {
  const queue = QueueUrl === undefined ? QueueName : lastSegment(QueueUrl);
  const resource = queue === undefined ? (SourceArn ?? ANY) : arnOf('sqs', place, queue);
  return [{ action: `sqs:${SINGLE[operation] ?? operation}`, resource }];
};

import type { Requirements } from '../../core/access/authorizer.ts';
import { ANY, arnOf } from './place.ts';

interface Input {
  QueueUrl?: string;
  QueueName?: string;
  SourceArn?: string;
}

/** As the service reads it: the path alone names the queue. */
const nameInUrl = (url: string): string =>
  URL.canParse(url) ? decodeURIComponent(new URL(url).pathname.split('/')[2] ?? '') : '';

/** A batch needs the permission of its single operation. */
const SINGLE: Readonly<Record<string, string>> = {
  SendMessageBatch: 'SendMessage',
  DeleteMessageBatch: 'DeleteMessage',
  ChangeMessageVisibilityBatch: 'ChangeMessageVisibility',
};

export const sqsRequests: Requirements = (operation, { QueueUrl, QueueName, SourceArn }: Input, place) => {
  const queue = QueueUrl === undefined ? QueueName : nameInUrl(QueueUrl);
  const resource = queue === undefined ? (SourceArn ?? ANY) : arnOf('sqs', place, queue);
  return [{ action: `sqs:${SINGLE[operation] ?? operation}`, resource }];
};

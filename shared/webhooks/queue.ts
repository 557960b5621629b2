import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** What a queue message says: only where to look. It may come twice, late, or for a delivery that is done. */
export interface DeliveryMessage {
  workspaceId: string;
  deliveryId: string;
}

export type Enqueue = (message: DeliveryMessage, delaySeconds?: number) => Promise<void>;

/** Messages are grouped by workspace, so that a noisy tenant waits behind its own and not before others (fair queues). */
export function deliveryQueue(sqs: SQSClient, queueUrl: string): Enqueue {
  return async (message, delaySeconds = 0) => {
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: queueUrl,
        MessageBody: JSON.stringify(message),
        MessageGroupId: message.workspaceId,
        ...(delaySeconds > 0 ? { DelaySeconds: Math.min(900, Math.ceil(delaySeconds)) } : {}),
      }),
    );
  };
}

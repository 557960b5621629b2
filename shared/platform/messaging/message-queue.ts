import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { inParallel } from '../concurrency/in-parallel.ts';

/** A queue whose messages may be delivered twice, late, or after their subject has ended. */
export interface MessageQueue<M> {
  /** Sends messages that become visible after their delays, of at most 15 minutes. */
  send(messages: readonly { message: M; delaySeconds: number }[]): Promise<void>;
}

const MAX_BATCH_SIZE = 10;
const BATCHES_AT_ONCE = 8;
const MAX_DELAY_SECONDS = 900;

/**
 * Messages are grouped by workspace (fair queues), so that a busy tenant delays only its own. The client is created
 * with the first message, because most requests send none.
 */
export function messageQueue<M extends { workspaceId: string }>(url: string): MessageQueue<M> {
  let client: SQSClient | undefined;
  return {
    async send(messages) {
      if (messages.length === 0) return;
      client ??= new SQSClient({});
      const queue = client;
      const batches = Array.from({ length: Math.ceil(messages.length / MAX_BATCH_SIZE) }, (_, index) =>
        messages.slice(index * MAX_BATCH_SIZE, (index + 1) * MAX_BATCH_SIZE),
      );
      await inParallel(BATCHES_AT_ONCE, batches, async (batch) => {
        const reply = await queue.send(
          new SendMessageBatchCommand({
            QueueUrl: url,
            Entries: batch.map(({ message, delaySeconds }, index) => ({
              Id: String(index),
              MessageBody: JSON.stringify(message),
              MessageGroupId: message.workspaceId,
              // Delays are whole seconds; rounding up ensures that no message arrives early.
              DelaySeconds: Math.min(MAX_DELAY_SECONDS, Math.max(0, Math.ceil(delaySeconds))),
            })),
          }),
        );
        if (reply.Failed?.length) throw new Error(`the queue rejected ${reply.Failed.length} messages`);
      });
    },
  };
}

import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { inParallel } from '../concurrency/in-parallel.ts';

/** A queue of messages, each of which may come twice, late, or for something that is over. */
export interface MessageQueue<M> {
  /** Sends messages that appear after their delays, of at most 15 minutes. */
  send(messages: readonly { message: M; delaySeconds: number }[]): Promise<void>;
}

const MAX_IN_A_BATCH = 10;
const BATCHES_AT_ONCE = 8;
const LONGEST_DELAY_SECONDS = 900;

/**
 * Messages are grouped by workspace, so that a busy tenant waits behind its own and not before others (fair queues). The
 * client is made with the first message: most requests send none.
 */
export function messageQueue<M extends { workspaceId: string }>(url: string): MessageQueue<M> {
  let client: SQSClient | undefined;
  return {
    async send(messages) {
      if (messages.length === 0) return;
      client ??= new SQSClient({});
      const queue = client;
      const batches = Array.from({ length: Math.ceil(messages.length / MAX_IN_A_BATCH) }, (_, index) =>
        messages.slice(index * MAX_IN_A_BATCH, (index + 1) * MAX_IN_A_BATCH),
      );
      await inParallel(BATCHES_AT_ONCE, batches, async (batch) => {
        const reply = await queue.send(
          new SendMessageBatchCommand({
            QueueUrl: url,
            Entries: batch.map(({ message, delaySeconds }, index) => ({
              Id: String(index),
              MessageBody: JSON.stringify(message),
              MessageGroupId: message.workspaceId,
              // Queues count whole seconds, and nothing is to come before its time.
              DelaySeconds: Math.min(LONGEST_DELAY_SECONDS, Math.max(0, Math.ceil(delaySeconds))),
            })),
          }),
        );
        if (reply.Failed?.length) throw new Error(`the queue refused ${reply.Failed.length} messages`);
      });
    },
  };
}

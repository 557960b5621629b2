import type { SQSClient } from '@aws-sdk/client-sqs';

/** What the work queue carries: things to do at a time of their own. Each may come twice. */
export type WorkMessage =
  | { kind: 'fire-schedule'; workspaceId: string; pipelineId: string; scheduledAt: string }
  | { kind: 'cancel-deadline'; workspaceId: string; runId: string };

export interface WorkQueue {
  /** Sends messages that appear after their delays, of at most 15 minutes. */
  send(messages: readonly { message: WorkMessage; delaySeconds: number }[]): Promise<void>;
}

/** The client is loaded with the first message: most requests send none. */
export function workQueue(url: string): WorkQueue {
  let client: SQSClient | undefined;
  return {
    async send(messages) {
      const { SendMessageBatchCommand, SQSClient } = await import('@aws-sdk/client-sqs');
      client ??= new SQSClient({});
      for (let start = 0; start < messages.length; start += 10) {
        const reply = await client.send(
          new SendMessageBatchCommand({
            QueueUrl: url,
            Entries: messages.slice(start, start + 10).map(({ message, delaySeconds }, index) => ({
              Id: String(index),
              MessageBody: JSON.stringify(message),
              DelaySeconds: Math.min(900, Math.max(0, Math.round(delaySeconds))),
            })),
          }),
        );
        if (reply.Failed?.length) throw new Error(`the queue refused ${reply.Failed.length} messages`);
      }
    },
  };
}

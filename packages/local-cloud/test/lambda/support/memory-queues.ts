import { randomUUID } from 'node:crypto';
import { AwsError } from '../../../core/aws-error.ts';
import type { QueueMessage, SqsPort } from '../../../core/ports.ts';

interface Stored {
  body: string;
  messageId: string;
  visible: boolean;
  receives: number;
  receiptHandle: string;
}

/** The SQS port in memory, with explicit visibility, so that a test decides when a message returns. */
export class MemoryQueues implements SqsPort {
  readonly #queues = new Map<string, Stored[]>();
  readonly #waiters = new Set<() => void>();
  readonly visibilityChanges: number[] = [];

  create(name: string): string {
    const arn = `arn:aws:sqs:us-east-1:000000000000:${name}`;
    this.#queues.set(arn, []);
    return arn;
  }

  bodies(queueArn: string): string[] {
    return this.#stored(queueArn).map((message) => message.body);
  }

  /** Makes every message in flight visible again. */
  expireVisibility(queueArn: string): void {
    for (const message of this.#stored(queueArn)) message.visible = true;
    this.#wake();
  }

  /** Resolves once the queue has exactly this many messages. */
  async untilSize(queueArn: string, size: number): Promise<string[]> {
    while (this.#stored(queueArn).length !== size) await this.#change();
    return this.bodies(queueArn);
  }

  async send({ queueArn, body }: { queueArn: string; body: string }): Promise<{ messageId: string }> {
    const messageId = randomUUID();
    this.#stored(queueArn).push({ body, messageId, visible: true, receives: 0, receiptHandle: '' });
    this.#wake();
    return { messageId };
  }

  async receive(call: Parameters<SqsPort['receive']>[0]): Promise<QueueMessage[]> {
    const deadline = Date.now() + call.waitMs;
    for (;;) {
      const messages = this.#stored(call.queueArn)
        .filter((message) => message.visible)
        .slice(0, call.max);
      if (messages.length > 0 || call.signal?.aborted || Date.now() >= deadline) return messages.map(take);
      await this.#change(deadline - Date.now(), call.signal);
    }
  }

  async delete({ queueArn, receiptHandle }: { queueArn: string; receiptHandle: string }): Promise<void> {
    const left = this.#stored(queueArn).filter((message) => message.receiptHandle !== receiptHandle);
    this.#queues.set(queueArn, left);
    this.#wake();
  }

  async changeVisibility({ seconds }: { seconds: number }): Promise<void> {
    this.visibilityChanges.push(seconds);
  }

  async attributes(queueArn: string): Promise<Record<string, string> | undefined> {
    return this.#queues.has(queueArn) ? { VisibilityTimeout: '30' } : undefined;
  }

  #stored(queueArn: string): Stored[] {
    const stored = this.#queues.get(queueArn);
    if (!stored) throw new AwsError('QueueDoesNotExist', 'The specified queue does not exist.');
    return stored;
  }

  #wake(): void {
    for (const waiter of [...this.#waiters]) waiter();
  }

  #change(waitMs = 20_000, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiters.delete(done);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, waitMs);
      this.#waiters.add(done);
      signal?.addEventListener('abort', done);
    });
  }
}

function take(message: Stored): QueueMessage {
  message.visible = false;
  message.receives += 1;
  message.receiptHandle = randomUUID();
  return {
    messageId: message.messageId,
    receiptHandle: message.receiptHandle,
    body: message.body,
    md5OfBody: '',
    attributes: { ApproximateReceiveCount: String(message.receives) },
    messageAttributes: {},
  };
}

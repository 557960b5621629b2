import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '../../core/database.ts';
import type { CloudContext } from '../../core/service.ts';
import type { Addresses } from './addresses.ts';
import type { Arrivals } from './arrivals.ts';
import { invalidParameter, invalidValue } from './errors.ts';
import type { Messages, StoredMessage } from './messages.ts';
import { redrivePolicy } from './queue-attributes.ts';
import type { Queue, Queues } from './queues.ts';
import { type Receipt, readReceiptHandle } from './receipt-handle.ts';

const MAX_VISIBILITY_MS = 43_200_000;

export interface ReceiveCall {
  max: number;
  waitMs: number;
  visibilitySeconds?: number | undefined;
  signal?: AbortSignal | undefined;
}

interface Deps {
  context: CloudContext;
  database: DatabaseSync;
  addresses: Addresses;
  queues: Queues;
  messages: Messages;
  arrivals: Arrivals;
}

/** Takes messages out of queues: visibility, redrive and long polls. */
export class Receiving {
  readonly #deps: Deps;
  #closed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Waits up to `waitMs` for at least one message. Throws `QueueDoesNotExist`, also if the queue is deleted while
   * waiting.
   */
  async receive(queueName: string, call: ReceiveCall): Promise<StoredMessage[]> {
    const { context, queues, messages, arrivals } = this.#deps;
    const deadline = context.clock.now() + call.waitMs;
    for (;;) {
      if (this.#closed) return [];
      const queue = queues.get(queueName);
      // Read first, so that a message that becomes visible during the scan is either taken or waited for.
      const now = context.clock.now();
      const taken = this.#take(queue, call);
      if (taken.length > 0 || now >= deadline || call.signal?.aborted) return taken;
      const nextVisibleAt = messages.nextVisibleAt(queue.id, now) ?? deadline;
      await arrivals.wait(queue.id, Math.min(deadline, nextVisibleAt), call.signal);
    }
  }

  /** Deletes by receipt. An outdated receipt of a standard queue succeeds without effect, as on AWS. */
  delete(queue: Queue, handle: string): void {
    const { messages, arrivals } = this.#deps;
    const message = this.#holding(queue, readReceiptHandle(handle, queue.id));
    if (!message) return;
    if (queue.fifo && message.visibleAt <= this.#deps.context.clock.now()) {
      throw invalidValue('ReceiptHandle', handle, 'The receipt handle has expired.');
    }
    messages.delete(message.seq);
    if (queue.fifo) arrivals.ring(queue.id);
  }

  /** Throws `InvalidParameterValue` if the message is not in flight or would stay hidden for more than 12 hours. */
  changeVisibility(queue: Queue, handle: string, seconds: number): void {
    const { context, messages, arrivals } = this.#deps;
    const now = context.clock.now();
    const message = this.#holding(queue, readReceiptHandle(handle, queue.id));
    if (!message || message.visibleAt <= now) {
      throw invalidValue(
        'ReceiptHandle',
        handle,
        'Message does not exist or is not available for visibility timeout change.',
      );
    }
    const visibleAt = now + seconds * 1000;
    if (visibleAt - (message.receivedAt ?? now) > MAX_VISIBILITY_MS) {
      throw invalidParameter('Total VisibilityTimeout for the message is beyond the limit [43200 seconds]');
    }
    messages.setVisibility(message.seq, visibleAt);
    arrivals.ring(queue.id);
  }

  /** Deletes messages past the queue's retention. */
  expire(queue: Queue): void {
    const retentionMs = Number(queue.attributes.MessageRetentionPeriod) * 1000;
    this.#deps.messages.expire(queue.id, this.#deps.context.clock.now() - retentionMs);
  }

  /** Ends all waiting; the receivers get no messages. */
  close(): void {
    this.#closed = true;
    this.#deps.arrivals.ringAll();
  }

  #holding(queue: Queue, { seq, receipt }: Receipt): StoredMessage | undefined {
    const message = this.#deps.messages.find(seq);
    return message?.queueId === queue.id && message.receipt === receipt ? message : undefined;
  }

  #take(queue: Queue, call: ReceiveCall): StoredMessage[] {
    this.expire(queue);
    const taken: StoredMessage[] = [];
    const seen = new Set<number>();
    for (;;) {
      const candidates = this.#candidates(queue, call.max - taken.length).filter((seq) => !seen.has(seq));
      if (candidates.length === 0) return taken;
      inTransaction(this.#deps.database, () => {
        for (const seq of candidates) {
          seen.add(seq);
          if (this.#bury(queue, seq)) continue;
          taken.push(this.#deliver(queue, seq, call.visibilitySeconds));
          if (!queue.fifo && this.#strikesTwice(queue, seq)) {
            seen.add(this.#deps.messages.repeat(seq, this.#deps.context.clock.now()));
          }
        }
      });
      // Messages that went to the dead-letter queue left space for others.
      if (taken.length >= candidates.length) return taken;
    }
  }

  #candidates(queue: Queue, max: number): number[] {
    if (max <= 0) return [];
    const now = this.#deps.context.clock.now();
    const { messages } = this.#deps;
    return queue.fifo ? messages.visibleInOrder(queue.id, now, max) : messages.visible(queue.id, now, max);
  }

  /** Moves a message that was received too often to the dead-letter queue, if there is one. */
  #bury(queue: Queue, seq: number): boolean {
    const { context, messages, addresses, queues, arrivals } = this.#deps;
    const policy = redrivePolicy(queue.attributes);
    if (!policy || (messages.find(seq) as StoredMessage).receives < policy.maxReceiveCount) return false;
    const deadLetters = queues.find(addresses.nameInArn(policy.deadLetterTargetArn) ?? '');
    if (!deadLetters) return false;
    messages.moveToDeadLetters(seq, deadLetters, addresses.arn(queue.name), context.clock.now());
    arrivals.ring(deadLetters.id);
    return true;
  }

  #deliver(queue: Queue, seq: number, visibilitySeconds: number | undefined): StoredMessage {
    const { context, messages } = this.#deps;
    const now = context.clock.now();
    const seconds = visibilitySeconds ?? Number(queue.attributes.VisibilityTimeout);
    messages.receive(seq, randomUUID(), now, now + seconds * 1000);
    return messages.find(seq) as StoredMessage;
  }

  #strikesTwice(queue: Queue, seq: number): boolean {
    if (this.#deps.messages.find(seq)?.echo) return false;
    const place = { service: 'sqs', operation: 'ReceiveMessage', resource: queue.name };
    return this.#deps.context.faults.strike({ ...place, effects: ['duplicate'] }) !== undefined;
  }
}

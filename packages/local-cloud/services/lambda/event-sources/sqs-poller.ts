import type { Principal } from '../../../core/access/principal.ts';
import type { QueueMessage, SqsPort } from '../../../core/ports.ts';
import type { CloudContext } from '../../../core/service.ts';
import { BATCH_LIMIT_BYTES, type BatchInvoker, backoffMs } from './batch-invoker.ts';
import { failedItems, splitBySize } from './batch-response.ts';
import { recordFilter } from './filter.ts';
import type { SqsMapping } from './mapping.ts';
import { pause, Wake } from './pause.ts';
import type { Poller } from './poller.ts';

const LONG_POLL_MS = 20_000;
const MAX_PER_RECEIVE = 10;
/** Initial number of batches in flight without `MaximumConcurrency`; under load it grows by one … */
const FIRST_CONCURRENCY = 5;
/** … this often. Lambda adds 300 a minute, but a machine with few cores is faster with fewer processes. */
const GROWS_EVERY_MS = 1000;
const DEFAULT_VISIBILITY_SECONDS = 30;

/**
 * Calls a function with a queue's messages. Deletes the messages of successful batches; the visibility of the others
 * stays as it is, even if the function has changed it.
 */
export class SqsPoller implements Poller {
  lastResult = 'No records processed';
  readonly #context: CloudContext;
  readonly #sqs: SqsPort;
  readonly #invoker: BatchInvoker;
  readonly #mapping: SqsMapping;
  readonly #passes: (record: object) => boolean;
  readonly #stopping = new AbortController();
  readonly #inFlight = new Set<Promise<void>>();
  readonly #slotFree = new Wake();
  readonly #mostSlots: number;
  readonly #fewestSlots: number;
  #slots: number;
  /** The function's role when messages were last received, and still when they are given back after it is gone. */
  #caller: Principal;
  readonly #done: Promise<void>;

  constructor(context: CloudContext, sqs: SqsPort, invoker: BatchInvoker, mapping: SqsMapping) {
    this.#context = context;
    this.#sqs = sqs;
    this.#invoker = invoker;
    this.#mapping = mapping;
    this.#passes = recordFilter(mapping.filters);
    this.#mostSlots = mapping.maximumConcurrency ?? FIRST_CONCURRENCY;
    this.#fewestSlots = Math.min(FIRST_CONCURRENCY, this.#mostSlots);
    this.#slots = this.#fewestSlots;
    this.#caller = { type: 'service', service: 'lambda.amazonaws.com', sourceArn: mapping.functionArn };
    this.#done = this.#poll();
  }

  /** Stops receiving and resolves when the batches in flight have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#done;
    await Promise.all(this.#inFlight);
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted; ) {
      try {
        await this.#untilSlot(signal);
        await this.#invoker.untilFree(this.#mapping.functionArn, signal);
        this.#caller = this.#invoker.callerOf(this.#mapping.functionArn);
        const messages = signal.aborted ? [] : await this.#collect(signal);
        failures = 0;
        if (signal.aborted) await this.#giveBack(messages);
        else if (messages.length > 0) this.#start(messages);
        else {
          this.#slots = this.#fewestSlots;
          // A closing queue service answers at once; the event loop needs its turn.
          await new Promise((resolve) => setImmediate(resolve));
        }
      } catch (error) {
        if (signal.aborted) return;
        if (failures === 0)
          this.#context.log(`lambda: ${this.#mapping.eventSourceArn} cannot be read: ${String(error)}`);
        await pause(this.#context.clock, backoffMs(failures), signal);
        failures += 1;
      }
    }
  }

  /** Waits for a batch to end or for the concurrency to grow. */
  async #untilSlot(signal: AbortSignal): Promise<void> {
    const { clock } = this.#context;
    while (this.#inFlight.size >= this.#slots && !signal.aborted) {
      if (this.#slots === this.#mostSlots) {
        await this.#slotFree.wait(signal);
        continue;
      }
      const deadline = clock.now() + GROWS_EVERY_MS;
      await this.#slotFree.wait(signal, { clock, deadline });
      if (clock.now() >= deadline) this.#slots += 1;
    }
  }

  /** One batch: the available messages, or with a batching window those that arrive until the batch is full. */
  async #collect(signal: AbortSignal): Promise<QueueMessage[]> {
    const { batchSize, batchingWindowSeconds } = this.#mapping;
    const { clock } = this.#context;
    const messages = await this.#receive(Math.min(batchSize, MAX_PER_RECEIVE), LONG_POLL_MS, signal);
    if (messages.length === 0) return messages;
    const deadline = clock.now() + batchingWindowSeconds * 1000;
    while (messages.length < batchSize && clock.now() < deadline && !signal.aborted) {
      const missing = Math.min(batchSize - messages.length, MAX_PER_RECEIVE);
      messages.push(...(await this.#receive(missing, Math.min(deadline - clock.now(), LONG_POLL_MS), signal)));
    }
    return messages;
  }

  #receive(max: number, waitMs: number, signal: AbortSignal): Promise<QueueMessage[]> {
    return this.#sqs.receive({ queueArn: this.#mapping.eventSourceArn, max, waitMs, signal, caller: this.#caller });
  }

  async #giveBack(messages: QueueMessage[]): Promise<void> {
    const call = { queueArn: this.#mapping.eventSourceArn, caller: this.#caller, seconds: 0 };
    await Promise.all(messages.map(({ receiptHandle }) => this.#sqs.changeVisibility({ ...call, receiptHandle })));
  }

  #start(messages: QueueMessage[]): void {
    const run = this.#process(messages)
      .catch((error) =>
        this.#context.log(`lambda: a batch of ${this.#mapping.eventSourceArn} failed: ${String(error)}`),
      )
      .finally(() => {
        this.#inFlight.delete(run);
        this.#slotFree.raise();
      });
    this.#inFlight.add(run);
  }

  async #process(messages: QueueMessage[]): Promise<void> {
    const records = messages.map((message) => this.#record(message));
    const passed = records.filter((record) => this.#passes(record));
    await this.#delete(records.filter((record) => !passed.includes(record)));
    for (const part of splitBySize(passed, BATCH_LIMIT_BYTES)) await this.#deliver(part);
  }

  async #deliver(records: SqsRecord[]): Promise<void> {
    const attributes = await this.#sqs.attributes(this.#mapping.eventSourceArn);
    const visibilitySeconds = Number(attributes?.VisibilityTimeout ?? DEFAULT_VISIBILITY_SECONDS);
    const execution = await this.#invoker.invoke(this.#mapping.functionArn, records, {
      signal: this.#stopping.signal,
      // Afterwards the messages are visible again, and may belong to another receiver.
      giveUpAt: this.#context.clock.now() + visibilitySeconds * 1000,
    });
    if (!execution) return;
    // Like Lambda, reduce the concurrency after failures, which may come from overload.
    if (execution.error) this.#slots = Math.max(this.#fewestSlots, Math.floor(this.#slots / 2));
    const failed = execution.error ? undefined : this.#failedIds(execution.payload, records);
    this.lastResult = failed ? 'OK' : 'PROBLEM: Function call failed';
    if (failed) await this.#delete(records.filter(({ messageId }) => !failed.includes(messageId)));
  }

  #failedIds(payload: Buffer, records: SqsRecord[]): string[] | undefined {
    if (!this.#mapping.reportBatchItemFailures) return [];
    return failedItems(payload, new Set(records.map(({ messageId }) => messageId)));
  }

  async #delete(records: SqsRecord[]): Promise<void> {
    const call = { queueArn: this.#mapping.eventSourceArn, caller: this.#caller };
    await Promise.all(records.map(({ receiptHandle }) => this.#sqs.delete({ ...call, receiptHandle })));
  }

  #record(message: QueueMessage): SqsRecord {
    return {
      messageId: message.messageId,
      receiptHandle: message.receiptHandle,
      body: message.body,
      attributes: message.attributes,
      messageAttributes: eventAttributes(message.messageAttributes),
      md5OfBody: message.md5OfBody,
      eventSource: 'aws:sqs',
      eventSourceARN: this.#mapping.eventSourceArn,
      awsRegion: this.#context.region,
    };
  }
}

interface SqsRecord {
  messageId: string;
  receiptHandle: string;
  body: string;
  attributes: Record<string, string>;
  messageAttributes: Record<string, unknown>;
  md5OfBody: string;
  eventSource: 'aws:sqs';
  eventSourceARN: string;
  awsRegion: string;
}

/** `{StringValue, DataType}` of the SQS API is `{stringValue, dataType, …}` in an event. */
function eventAttributes(attributes: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => {
      const members = Object.entries(attribute as Record<string, unknown>);
      const renamed = members.map(([key, value]) => [key.charAt(0).toLowerCase() + key.slice(1), value]);
      return [name, { stringListValues: [], binaryListValues: [], ...Object.fromEntries(renamed) }];
    }),
  );
}

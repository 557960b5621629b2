import type { StreamRecord, StreamsPort } from '../../../core/ports.ts';
import type { CloudContext } from '../../../core/service.ts';
import type { Destinations } from '../asynchronous/destinations.ts';
import type { Execution } from '../execution/executor.ts';
import { BATCH_LIMIT_BYTES, type BatchInvoker, backoffMs } from './batch-invoker.ts';
import { failedItems, splitBySize } from './batch-response.ts';
import { recordFilter } from './filter.ts';
import type { MappingStore, StreamMapping } from './mapping.ts';
import { pause, Wake } from './pause.ts';
import type { Poller } from './poller.ts';
import { type FailureCondition, failureRecord, sequenceOf } from './stream-failure.ts';

/**
 * Filtered records are read again after a restart, up to this number, because storing the position for each would cost
 * more.
 */
const MAX_SKIPPED = 1000;

interface Deps {
  context: CloudContext;
  streams: StreamsPort;
  invoker: BatchInvoker;
  mappings: MappingStore;
  destinations: Destinations;
}

interface Batch {
  records: StreamRecord[];
  /** Failed calls so far. */
  failures: number;
}

/**
 * Calls a function with a stream's records, strictly in order. The position is stored after each finished batch, so a
 * crash repeats the batch in flight and loses none.
 */
export class StreamPoller implements Poller {
  lastResult = 'No records processed';
  readonly #deps: Deps;
  readonly #mapping: StreamMapping;
  readonly #passes: (record: object) => boolean;
  readonly #stopping = new AbortController();
  readonly #news = new Wake();
  readonly #done: Promise<void>;
  #checkpoint: string | undefined;
  /** Records after the stored position that need no work. */
  #skipped = 0;

  constructor(deps: Deps, mapping: StreamMapping) {
    this.#deps = deps;
    this.#mapping = mapping;
    this.#passes = recordFilter(mapping.filters);
    this.#checkpoint = deps.mappings.checkpoint(mapping.uuid);
    const unsubscribe = deps.streams.subscribe(mapping.eventSourceArn, () => this.#news.raise());
    this.#done = this.#poll().finally(unsubscribe);
  }

  /** Stops reading and resolves when the batch in flight has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#done;
    // The next reader may have another filter.
    if (this.#checkpoint !== undefined && this.#skipped > 0) this.#advance(this.#checkpoint);
  }

  async #poll(): Promise<void> {
    const { context } = this.#deps;
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted; ) {
      try {
        const { records, lastSequence } = await this.#collect(signal);
        failures = 0;
        const passed = records.filter((record) => this.#passes(record));
        const last = () => lastSequence ?? sequenceOf(records.at(-1) as StreamRecord);
        if (records.length === 0) await this.#news.wait(signal);
        else if (passed.length === 0) this.#skip(last(), records.length);
        else if (await this.#deliver(passed)) this.#advance(last());
      } catch (error) {
        if (failures === 0) context.log(`lambda: ${this.#mapping.eventSourceArn} cannot be read: ${String(error)}`);
        await pause(context.clock, backoffMs(failures), signal);
        failures += 1;
      }
    }
  }

  /** The available records; with a batching window those that arrive until it ends or the batch is full. */
  async #collect(signal: AbortSignal): Promise<{ records: StreamRecord[]; lastSequence?: string }> {
    const { clock } = this.#deps.context;
    const { batchSize, batchingWindowSeconds } = this.#mapping;
    let found = this.#read();
    const deadline = clock.now() + batchingWindowSeconds * 1000;
    while (found.records.length > 0 && found.records.length < batchSize && clock.now() < deadline && !signal.aborted) {
      await this.#news.wait(signal, { clock, deadline });
      found = this.#read();
    }
    return found;
  }

  #read(): { records: StreamRecord[]; lastSequence?: string } {
    return this.#deps.streams.read({
      streamArn: this.#mapping.eventSourceArn,
      ...(this.#checkpoint !== undefined && { afterSequence: this.#checkpoint }),
      max: this.#mapping.batchSize,
      caller: this.#deps.invoker.callerOf(this.#mapping.functionArn),
    });
  }

  #skip(sequence: string, records: number): void {
    this.#checkpoint = sequence;
    this.#skipped += records;
    if (this.#skipped >= MAX_SKIPPED) this.#advance(sequence);
  }

  #advance(sequence: string): void {
    this.#checkpoint = sequence;
    this.#skipped = 0;
    this.#deps.mappings.saveCheckpoint(this.#mapping.uuid, sequence);
  }

  /** Processes the records; false if the poller was stopped before the end. */
  async #deliver(records: StreamRecord[]): Promise<boolean> {
    const withSource = records.map((record) => ({ ...record, eventSourceARN: this.#mapping.eventSourceArn }));
    const open: Batch[] = splitBySize(withSource, BATCH_LIMIT_BYTES).map((part) => ({ records: part, failures: 0 }));
    const { signal } = this.#stopping;
    while (open.length > 0) {
      const batch = await this.#withoutExpired(open.shift() as Batch);
      if (batch.records.length === 0) continue;
      const execution = await this.#deps.invoker.invoke(this.#mapping.functionArn, batch.records, { signal });
      if (!execution) return false;
      const rest = this.#unprocessed(batch, execution);
      const done = batch.records.length - rest.length;
      this.lastResult = rest.length === 0 ? 'OK' : 'PROBLEM: Function call failed';
      if (done > 0) this.#advance(sequenceOf(batch.records[done - 1] as StreamRecord));
      if (rest.length > 0)
        open.unshift(...(await this.#retry({ records: rest, failures: batch.failures }, execution, done > 0)));
    }
    return true;
  }

  /** The records from the first one that the function reports as failed; all if the call failed. */
  #unprocessed({ records }: Batch, execution: Execution): StreamRecord[] {
    if (execution.error) return records;
    if (!this.#mapping.reportBatchItemFailures) return [];
    const failed = failedItems(execution.payload, new Set(records.map(sequenceOf)));
    if (!failed) return records;
    const first = records.findIndex((record) => failed.includes(sequenceOf(record)));
    return first < 0 ? [] : records.slice(first);
  }

  /** The next attempt after a failure: halves of the records, the same after a pause, or none. */
  async #retry({ records, failures }: Batch, execution: Execution, progressed: boolean): Promise<Batch[]> {
    const { context } = this.#deps;
    // Splitting does not count as a retry, and neither does the first failure of records after successful ones.
    if (this.#mapping.bisectOnError && records.length > 1 && !progressed) {
      const middle = Math.ceil(records.length / 2);
      return [
        { records: records.slice(0, middle), failures },
        { records: records.slice(middle), failures },
      ];
    }
    const count = progressed ? 1 : failures + 1;
    const max = this.#mapping.maximumRetryAttempts;
    if (max >= 0 && count > max) {
      await this.#discard(records, 'RetryAttemptsExhausted', count, execution);
      return [];
    }
    await pause(context.clock, backoffMs(count - 1), this.#stopping.signal);
    return [{ records, failures: count }];
  }

  async #withoutExpired(batch: Batch): Promise<Batch> {
    const maximumSeconds = this.#mapping.maximumRecordAgeSeconds;
    if (maximumSeconds < 0) return batch;
    const oldest = this.#deps.context.clock.now() / 1000 - maximumSeconds;
    const expired = batch.records.filter((record) => Number(record.dynamodb.ApproximateCreationDateTime) < oldest);
    if (expired.length > 0) await this.#discard(expired, 'RecordAgeExceeded', batch.failures);
    return { ...batch, records: batch.records.filter((record) => !expired.includes(record)) };
  }

  /** Deliver to the destination before moving the position past the records. */
  async #discard(
    records: StreamRecord[],
    condition: FailureCondition,
    count: number,
    execution?: Execution,
  ): Promise<void> {
    const { context, destinations } = this.#deps;
    if (this.#mapping.onFailure !== undefined) {
      const { functionArn, eventSourceArn } = this.#mapping;
      const at = context.clock.now();
      const record = failureRecord({
        records,
        condition,
        count,
        functionArn,
        eventSourceArn,
        at,
        ...(execution && { execution }),
      });
      await destinations.send(this.#mapping.onFailure, record, this.#deps.invoker.callerOf(functionArn));
    }
    this.#advance(sequenceOf(records.at(-1) as StreamRecord));
  }
}

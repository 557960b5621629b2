import { randomUUID } from 'node:crypto';
import type { StreamRecord, StreamsPort } from '../../../core/ports.ts';

/** One stream per ARN with consecutive sequence numbers. */
export class MemoryStreams implements StreamsPort {
  readonly #streams = new Map<string, StreamRecord[]>();
  readonly #subscribers = new Map<string, Set<() => void>>();
  #sequence = 100;

  create(table: string): string {
    const arn = `arn:aws:dynamodb:us-east-1:000000000000:table/${table}/stream/2026-01-01T00:00:00.000`;
    this.#streams.set(arn, []);
    return arn;
  }

  /** Appends one INSERT per key; returns the sequence numbers. */
  insert(streamArn: string, ...keys: string[]): string[] {
    const sequences = keys.map((key) => {
      this.#sequence += 1;
      const image = { pk: { S: key }, size: { N: String(key.length) } };
      this.#streams.get(streamArn)?.push({
        eventID: randomUUID(),
        eventName: 'INSERT',
        eventVersion: '1.1',
        eventSource: 'aws:dynamodb',
        awsRegion: 'us-east-1',
        dynamodb: {
          ApproximateCreationDateTime: Date.now() / 1000,
          Keys: { pk: { S: key } },
          NewImage: image,
          SequenceNumber: String(this.#sequence),
          StreamViewType: 'NEW_AND_OLD_IMAGES',
        },
      });
      return String(this.#sequence);
    });
    for (const subscriber of this.#subscribers.get(streamArn) ?? []) subscriber();
    return sequences;
  }

  read(call: Parameters<StreamsPort['read']>[0]): ReturnType<StreamsPort['read']> {
    const all = this.#streams.get(call.streamArn) ?? [];
    const records = all
      .filter(
        (record) =>
          call.afterSequence === undefined || Number(record.dynamodb.SequenceNumber) > Number(call.afterSequence),
      )
      .slice(0, call.max);
    const last = records.at(-1)?.dynamodb.SequenceNumber as string | undefined;
    return { records, ...(last !== undefined && { lastSequence: last }) };
  }

  latest(streamArn: string): string | undefined {
    return this.#streams.get(streamArn)?.at(-1)?.dynamodb.SequenceNumber as string | undefined;
  }

  subscribe(streamArn: string, onRecords: () => void): () => void {
    const subscribers = this.#subscribers.get(streamArn) ?? new Set();
    this.#subscribers.set(streamArn, subscribers);
    subscribers.add(onRecords);
    return () => subscribers.delete(onRecords);
  }
}

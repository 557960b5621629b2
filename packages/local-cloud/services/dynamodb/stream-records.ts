import { randomUUID } from 'node:crypto';
import type { CloudContext } from '../../core/service.ts';
import { keyOf } from './keys.ts';
import type { Store } from './store.ts';
import type { StreamViewType, TableDefinition } from './table.ts';
import { type Item, itemSize } from './values.ts';

/** One change of one item; texts are the stored JSON. */
export interface ItemChange {
  before?: { item: Item; text: string; size: number };
  after?: { item: Item; text: string; size: number };
  /** True if the item expired, so that readers can distinguish that from a deletion by a caller. */
  expired?: boolean;
}

/** The identity that deletes expired items: in events of functions, and in answers of `GetRecords`. */
const EXPIRY_IN_EVENTS = ',"userIdentity":{"type":"Service","principalId":"dynamodb.amazonaws.com"}}';
const EXPIRY_IN_ANSWERS = ',"userIdentity":{"Type":"Service","PrincipalId":"dynamodb.amazonaws.com"}}';

/** A stored record in the form of `GetRecords`. */
export function recordInAnswer(record: string): string {
  if (!record.endsWith(EXPIRY_IN_EVENTS)) return record;
  return record.slice(0, -EXPIRY_IN_EVENTS.length) + EXPIRY_IN_ANSWERS;
}

const FIRST_SEQUENCE_DIGITS = 10n ** 20n;

/** Sequence numbers have 21 digits, so that they sort as texts. */
export function sequenceText(sequence: number): string {
  return String(FIRST_SEQUENCE_DIGITS + BigInt(sequence));
}

export function parseSequence(text: string): number {
  return Number(BigInt(text) - FIRST_SEQUENCE_DIGITS);
}

/** Writes the records of every stream and notifies waiting readers after the commit. */
export class StreamWriter {
  readonly #store: Store;
  readonly #context: CloudContext;
  readonly #subscribers = new Map<string, Set<() => void>>();
  readonly #ids = new Map<string, number>();
  readonly #written = new Set<string>();
  #last: number;

  constructor(store: Store, context: CloudContext) {
    this.#store = store;
    this.#context = context;
    this.#last = Number(store.get('SELECT max(sequence) AS last FROM stream_records')?.last ?? 0);
  }

  /** Adds the record of a change inside the transaction that makes the change. */
  append(table: TableDefinition, change: ItemChange): void {
    if (!table.stream) return;
    const { arn, viewType } = table.stream;
    const now = this.#context.clock.now();
    // The clock's microseconds, or one more than the last number: the order survives restarts and trimmed records.
    this.#last = Math.max(this.#last + 1, now * 1000);
    const item = (change.after ?? change.before)?.item as Item;
    const keys = keyOf(table.schema, item);
    const images = imagesOf(change, viewType);
    const size = itemSize(keys) + images.size;
    const eventName = change.before ? (change.after ? 'MODIFY' : 'REMOVE') : 'INSERT';
    const record =
      `{"eventID":"${randomUUID().replaceAll('-', '')}","eventName":"${eventName}","eventVersion":"1.1",` +
      `"eventSource":"aws:dynamodb","awsRegion":"${this.#context.region}","dynamodb":{` +
      `"ApproximateCreationDateTime":${Math.floor(now / 1000)},"Keys":${JSON.stringify(keys)},${images.text}` +
      `"SequenceNumber":"${sequenceText(this.#last)}","SizeBytes":${size},"StreamViewType":"${viewType}"}` +
      (change.expired ? EXPIRY_IN_EVENTS : '}');
    this.#store.run(
      'INSERT INTO stream_records VALUES (?, ?, ?, ?, ?)',
      this.streamId(arn),
      this.#last,
      now,
      record.length,
      record,
    );
    this.#written.add(arn);
  }

  /** Call after each commit. */
  notify(): void {
    for (const arn of this.#written) {
      for (const onRecords of this.#subscribers.get(arn) ?? []) setImmediate(onRecords);
    }
    this.#written.clear();
  }

  /** Call after a rollback of the transaction that appended. */
  forget(): void {
    this.#written.clear();
  }

  subscribe(arn: string, onRecords: () => void): () => void {
    const subscribers = this.#subscribers.get(arn) ?? new Set();
    this.#subscribers.set(arn, subscribers);
    // Wrapped, so that subscribing the same function twice creates two subscriptions.
    const subscription = () => onRecords();
    subscribers.add(subscription);
    return () => subscribers.delete(subscription);
  }

  streamId(arn: string): number {
    const held = this.#ids.get(arn);
    if (held !== undefined) return held;
    const id = Number(this.#store.get('SELECT id FROM streams WHERE arn = ?', arn)?.id);
    this.#ids.set(arn, id);
    return id;
  }
}

function imagesOf({ before, after }: ItemChange, viewType: StreamViewType): { text: string; size: number } {
  let text = '';
  let size = 0;
  if (after && (viewType === 'NEW_IMAGE' || viewType === 'NEW_AND_OLD_IMAGES')) {
    text += `"NewImage":${after.text},`;
    size += after.size;
  }
  if (before && (viewType === 'OLD_IMAGE' || viewType === 'NEW_AND_OLD_IMAGES')) {
    text += `"OldImage":${before.text},`;
    size += before.size;
  }
  return { text, size };
}

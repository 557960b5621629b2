import { requireAccess } from '../../core/access/authorizer.ts';
import { AwsError } from '../../core/aws-error.ts';
import type { StreamRecord, StreamsPort } from '../../core/ports.ts';
import { readStreamRequests } from '../../iam/requests/dynamodb.ts';
import type { Engine } from './engine.ts';
import { invalid, notFound } from './errors.ts';
import { jsonArray } from './json-text.ts';
import { parseSequence, recordInAnswer, sequenceText } from './stream-records.ts';
import type { StreamDefinition, StreamViewType, TableDefinition } from './table.ts';

/** A stream keeps its records for a day. */
export const RETENTION_MS = 24 * 60 * 60 * 1000;
const ITERATOR_LIFETIME_MS = 15 * 60 * 1000;
const MAX_REPLY_BYTES = 1024 * 1024;
const MAX_RECORDS = 1000;

interface Stream {
  id: number;
  arn: string;
  tableName: string;
  label: string;
  viewType: StreamViewType;
  createdAt: number;
  keySchema: unknown[];
  closedAt?: number;
}

/** Creates a stream inside the caller's transaction. Two streams of a table never share a label. */
export function openStream(engine: Engine, table: TableDefinition, viewType: StreamViewType): StreamDefinition {
  const { store, context } = engine;
  let at = context.clock.now();
  let label = labelOf(at);
  while (store.get('SELECT 1 FROM streams WHERE arn = ?', `${table.arn}/stream/${label}`)) {
    at += 1;
    label = labelOf(at);
  }
  const arn = `${table.arn}/stream/${label}`;
  const keySchema = [{ AttributeName: table.schema.hash.name, KeyType: 'HASH' }];
  if (table.schema.range) keySchema.push({ AttributeName: table.schema.range.name, KeyType: 'RANGE' });
  const definition = { label, viewType, createdAt: context.clock.now(), keySchema };
  store.run(
    'INSERT INTO streams VALUES (?, ?, ?, ?, NULL)',
    arn,
    store.nextId('stream'),
    table.name,
    JSON.stringify(definition),
  );
  return { arn, label, viewType };
}

export function closeStream({ store, context }: Engine, arn: string): void {
  store.run('UPDATE streams SET closed_at = ? WHERE arn = ?', context.clock.now(), arn);
}

export function listStreams(
  engine: Engine,
  input: { TableName?: string; Limit?: number; ExclusiveStartStreamArn?: string },
): Record<string, unknown> {
  const { TableName: tableName, Limit: limit = 100, ExclusiveStartStreamArn: start = '' } = input;
  const streams = engine.store
    .all('SELECT * FROM streams ORDER BY arn')
    .map(readStream)
    .filter((stream) => tableName === undefined || stream.tableName === tableName)
    .filter((stream) => stream.arn > start);
  const page = streams.slice(0, limit);
  return {
    Streams: page.map((stream) => ({
      StreamArn: stream.arn,
      TableName: stream.tableName,
      StreamLabel: stream.label,
    })),
    LastEvaluatedStreamArn: streams.length > page.length ? page[page.length - 1]?.arn : undefined,
  };
}

/** A stream has one shard, which is open while the stream is enabled. */
export function describeStream(
  engine: Engine,
  input: { StreamArn: string; ExclusiveStartShardId?: string },
): Record<string, unknown> {
  const stream = findStream(engine, input.StreamArn);
  const bounds = engine.store.get('SELECT max(sequence) AS last FROM stream_records WHERE stream = ?', stream.id);
  const closed = stream.closedAt !== undefined;
  const shard = {
    ShardId: shardOf(stream),
    SequenceNumberRange: {
      StartingSequenceNumber: sequenceText(stream.createdAt * 1000),
      EndingSequenceNumber: closed
        ? sequenceText(Number(bounds?.last ?? (stream.closedAt as number) * 1000))
        : undefined,
    },
  };
  return {
    StreamDescription: {
      StreamArn: stream.arn,
      StreamLabel: stream.label,
      StreamStatus: closed ? 'DISABLED' : 'ENABLED',
      StreamViewType: stream.viewType,
      CreationRequestDateTime: stream.createdAt / 1000,
      TableName: stream.tableName,
      KeySchema: stream.keySchema,
      Shards: input.ExclusiveStartShardId === undefined ? [shard] : [],
    },
  };
}

interface ShardIteratorInput {
  StreamArn: string;
  ShardId: string;
  ShardIteratorType: 'TRIM_HORIZON' | 'LATEST' | 'AT_SEQUENCE_NUMBER' | 'AFTER_SEQUENCE_NUMBER';
  SequenceNumber?: string;
}

/** An iterator holds the record to read after, and its expiry. */
export function getShardIterator(engine: Engine, input: ShardIteratorInput): Record<string, unknown> {
  const stream = findStream(engine, input.StreamArn);
  if (input.ShardId !== shardOf(stream)) {
    throw notFound(`Requested resource not found: Shard: ${input.ShardId} in Stream: ${input.StreamArn} not found`);
  }
  return { ShardIterator: encodeIterator(engine, stream, startAfter(engine, stream, input)) };
}

function startAfter(engine: Engine, stream: Stream, input: ShardIteratorInput): number {
  const { ShardIteratorType: type, SequenceNumber: number } = input;
  if (type === 'TRIM_HORIZON' || type === 'LATEST') {
    if (number !== undefined) throw invalid(`SequenceNumber must not be specified for ShardIteratorType ${type}`);
    return type === 'TRIM_HORIZON' ? 0 : newest(engine, stream);
  }
  if (number === undefined) throw invalid(`SequenceNumber must be specified for ShardIteratorType ${type}`);
  const sequence = readSequence(number);
  if (sequence < oldestKept(engine) && !holds(engine, stream, sequence)) {
    throw new AwsError(
      'TrimmedDataAccessException',
      'The operation attempted to read past the oldest stream record in a shard.',
    );
  }
  return type === 'AT_SEQUENCE_NUMBER' ? sequence - 1 : sequence;
}

export function getRecords(engine: Engine, input: { ShardIterator: string; Limit?: number }): Record<string, unknown> {
  const { arn, after } = decodeIterator(engine, input.ShardIterator);
  const stream = findStream(engine, arn);
  const texts: string[] = [];
  let [last, bytes, more] = [after, 0, false];
  for (const row of recordsAfter(engine, stream, after, input.Limit ?? MAX_RECORDS)) {
    bytes += row.size;
    if (bytes > MAX_REPLY_BYTES && texts.length > 0) {
      more = true;
      break;
    }
    texts.push(recordInAnswer(row.record));
    last = row.sequence;
  }
  const drained = stream.closedAt !== undefined && !more && last >= newest(engine, stream);
  return {
    Records: jsonArray(texts),
    NextShardIterator: drained ? undefined : encodeIterator(engine, stream, last),
  };
}

/**
 * Deletes records older than a day, and streams disabled for that long. Sequence numbers contain the time, so this
 * touches only deleted rows.
 */
export function trimStreams(engine: Engine): void {
  const { store, context } = engine;
  for (const row of store.all('SELECT id FROM streams')) {
    store.run('DELETE FROM stream_records WHERE stream = ? AND sequence < ?', row.id as number, oldestKept(engine));
  }
  store.run('DELETE FROM streams WHERE closed_at < ?', context.clock.now() - RETENTION_MS);
}

/** The in-process API for event sources. */
export function streamsPort(engine: Engine): StreamsPort {
  return {
    read({ streamArn, afterSequence, max, caller }) {
      requireAccess(engine.context.authorizer, caller, readStreamRequests(streamArn));
      const stream = findStream(engine, streamArn);
      const after = afterSequence === undefined ? 0 : parseSequence(afterSequence);
      const rows = recordsAfter(engine, stream, after, max);
      const last = rows[rows.length - 1];
      return {
        records: rows.map((row) => JSON.parse(row.record) as StreamRecord),
        ...(last ? { lastSequence: sequenceText(last.sequence) } : {}),
      };
    },
    latest(streamArn) {
      const sequence = newest(engine, findStream(engine, streamArn));
      return sequence > 0 ? sequenceText(sequence) : undefined;
    },
    subscribe: (streamArn, onRecords) => engine.streams.subscribe(streamArn, onRecords),
  };
}

function recordsAfter(
  engine: Engine,
  stream: Stream,
  after: number,
  max: number,
): { sequence: number; size: number; record: string }[] {
  return engine.store.all(
    'SELECT sequence, size, record FROM stream_records WHERE stream = ? AND sequence > ? AND created_at >= ? ORDER BY sequence LIMIT ?',
    stream.id,
    after,
    engine.context.clock.now() - RETENTION_MS,
    max,
  ) as { sequence: number; size: number; record: string }[];
}

function findStream({ store }: Engine, arn: string): Stream {
  const row = store.get('SELECT * FROM streams WHERE arn = ?', arn);
  if (!row) throw notFound(`Requested resource not found: Stream: ${arn} not found`);
  return readStream(row);
}

function readStream(row: Record<string, unknown>): Stream {
  return {
    id: row.id as number,
    arn: row.arn as string,
    tableName: row.table_name as string,
    ...(JSON.parse(row.definition as string) as Pick<Stream, 'label' | 'viewType' | 'createdAt' | 'keySchema'>),
    ...(row.closed_at === null ? {} : { closedAt: row.closed_at as number }),
  };
}

function newest({ store }: Engine, stream: Stream): number {
  return Number(store.get('SELECT max(sequence) AS last FROM stream_records WHERE stream = ?', stream.id)?.last ?? 0);
}

function holds({ store }: Engine, stream: Stream, sequence: number): boolean {
  return store.get('SELECT 1 FROM stream_records WHERE stream = ? AND sequence = ?', stream.id, sequence) !== undefined;
}

function oldestKept({ context }: Engine): number {
  return (context.clock.now() - RETENTION_MS) * 1000;
}

function shardOf(stream: Stream): string {
  return `shardId-${sequenceText(stream.createdAt * 1000).slice(1)}-${stream.id.toString(16).padStart(8, '0')}`;
}

function readSequence(text: string): number {
  if (/^1\d{20}$/.test(text)) return parseSequence(text);
  throw invalid(`Invalid SequenceNumber: ${text}`);
}

function encodeIterator({ context }: Engine, stream: Stream, after: number): string {
  const iterator = JSON.stringify({ arn: stream.arn, after, expiresAt: context.clock.now() + ITERATOR_LIFETIME_MS });
  return `${stream.arn}|1|${Buffer.from(iterator).toString('base64url')}`;
}

function decodeIterator({ context }: Engine, text: string): { arn: string; after: number } {
  let iterator: { arn: string; after: number; expiresAt: number };
  try {
    iterator = JSON.parse(Buffer.from(text.split('|')[2] ?? '', 'base64url').toString());
  } catch {
    throw invalid('Invalid ShardIterator');
  }
  // The readable beginning decides what the caller may read.
  if (iterator.arn !== text.split('|')[0]) throw invalid('Invalid ShardIterator');
  if (iterator.expiresAt < context.clock.now()) {
    throw new AwsError(
      'ExpiredIteratorException',
      'Iterator expired. The iterator was created more than 15 minutes ago',
    );
  }
  return iterator;
}

/** `2026-01-01T00:00:00.000`, AWS's labels of streams. */
function labelOf(at: number): string {
  return new Date(at).toISOString().slice(0, -1);
}

import { randomUUID } from 'node:crypto';
import type { StreamRecord } from '../../../core/ports.ts';
import type { Execution } from '../execution/executor.ts';

export type FailureCondition = 'RetryAttemptsExhausted' | 'RecordAgeExceeded';

/** Local streams have a single shard. */
const SHARD_ID = 'shardId-00000000000000000000-00000001';

export function sequenceOf(record: StreamRecord): string {
  return String(record.dynamodb.SequenceNumber);
}

/** A failure destination's record of skipped records: their position in the stream, not their content. */
export function failureRecord(failure: {
  records: StreamRecord[];
  condition: FailureCondition;
  count: number;
  functionArn: string;
  eventSourceArn: string;
  /** Epoch milliseconds. */
  at: number;
  execution?: Execution;
}): object {
  const first = failure.records[0] as StreamRecord;
  const last = failure.records.at(-1) as StreamRecord;
  return {
    requestContext: {
      requestId: failure.execution?.requestId ?? randomUUID(),
      functionArn: failure.functionArn,
      condition: failure.condition,
      approximateInvokeCount: failure.count,
    },
    ...(failure.execution && {
      responseContext: {
        statusCode: 200,
        executedVersion: failure.execution.executedVersion,
        functionError: 'Unhandled',
      },
    }),
    version: '1.0',
    timestamp: new Date(failure.at).toISOString(),
    DDBStreamBatchInfo: {
      shardId: SHARD_ID,
      startSequenceNumber: sequenceOf(first),
      endSequenceNumber: sequenceOf(last),
      approximateArrivalOfFirstRecord: arrival(first),
      approximateArrivalOfLastRecord: arrival(last),
      batchSize: failure.records.length,
      streamArn: failure.eventSourceArn,
    },
  };
}

function arrival(record: StreamRecord): string {
  return new Date(Number(record.dynamodb.ApproximateCreationDateTime) * 1000).toISOString();
}

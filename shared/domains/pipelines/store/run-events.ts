import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { GateResult } from '../../../data/quality/gate-result.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { eventKey } from './run-keys.ts';
import type { StepStatus } from './step-record.ts';

const RETENTION_SECONDS = 30 * 24 * 60 * 60;

export type RunEvent =
  | { type: 'run.status'; data: { runId: string; status: string; attempt: number; at: string } }
  | {
      type: 'step.status';
      data: {
        stepId: string;
        item: string | number | null;
        attempt: number;
        status: StepStatus;
        skipReason: string | null;
        error: { code: string; message: string } | null;
        nextRetryAt: string | null;
      };
    }
  /** The progress of a long step. Its output is unknown before its end. */
  | {
      type: 'step.progress';
      data: {
        stepId: string;
        item: string | number | null;
        attempt: number;
        percent: number;
      };
    }
  | { type: 'gate.result'; data: { stepId: string; item: string | number | null; attempt: number } & GateResult }
  /** The last event of an attempt of the run. */
  | { type: 'end'; data: { status: string } };

/** An event with its number in the run's sequence. Numbers are reserved in order; a crashed writer leaves a gap. */
export type NumberedEvent = RunEvent & { seq: number };

/**
 * Events that follow each other, as one item under the number of the last: a write is billed by the item, and most
 * events are far smaller than what it is billed for.
 */
export function eventItem(
  table: Table,
  run: { workspaceId: string; runId: string },
  first: number,
  events: readonly RunEvent[],
  now: Date,
): TransactItem {
  const last = first + events.length - 1;
  return {
    Put: {
      TableName: table.name,
      Item: {
        ...eventKey(run.workspaceId, run.runId, last),
        entity: 'run-events',
        first,
        events,
        expiresAt: Math.floor(now.getTime() / 1000) + RETENTION_SECONDS,
      },
    },
  };
}

/** The last two events of an attempt of a run, written with its state. */
export function endEvents(
  run: { runId: string },
  { status, attempt, at }: { status: string; attempt: number; at: Date },
): RunEvent[] {
  const data = { runId: run.runId, status, attempt, at: at.toISOString() };
  return [
    { type: 'run.status', data },
    { type: 'end', data: { status } },
  ];
}

/** Whether an event after an `end` begins another attempt; late events of a fenced worker do not. */
export const isOfNextAttempt = ({ type }: RunEvent): boolean => type === 'run.status';

/** The next events after a number, in order; none if there are no more. */
export async function readEvents(
  table: Table,
  run: { workspaceId: string; runId: string },
  after: number,
): Promise<NumberedEvent[]> {
  const from = eventKey(run.workspaceId, run.runId, after + 1);
  const found = await table.db.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':pk': from.pk, ':from': from.sk, ':to': 'EVT#~' },
      Limit: 200,
      ConsistentRead: true,
    }),
  );
  return (found.Items ?? [])
    .flatMap(({ first, events }) => (events as RunEvent[]).map((event, index) => ({ ...event, seq: first + index })))
    .filter(({ seq }) => seq > after);
}

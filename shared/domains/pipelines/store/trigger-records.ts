import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Static } from 'typebox';
import * as Type from 'typebox';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { ErrorCode } from '../../../platform/errors/catalogue.ts';
import { Id, Nullable, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';
import { idFrom } from '../../../platform/storage/ids.ts';
import { workspaceKey } from '../../../platform/storage/keys.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { AUTOMATIC_TRIGGERS } from './run-record.ts';
export const TriggerRecord = Type.Object(
  {
    at: Timestamp,
    kind: StringEnum(AUTOMATIC_TRIGGERS),
    scheduledAt: Nullable(Timestamp),
    upstreamRunId: Nullable(Id),
    outcome: StringEnum(['started', 'skipped', 'refused'], {
      description: '`skipped`: another run was active; `refused`: for the given `reason`.',
    }),
    reason: Nullable(Type.String({ description: 'A code such as `RUN_OVERLAP` or `ALLOWANCE_EXHAUSTED`.' })),
    runId: Nullable(Id),
    activeRunIds: Type.Array(Id),
  },
  { $id: 'TriggerRecord', description: 'An automatic start of a pipeline: whether a run began, and if not, why.' },
);
export type TriggerRecord = Static<typeof TriggerRecord>;

const RETENTION_SECONDS = 90 * 24 * 60 * 60;

/** Errors that a retry would meet again: the occasion is not tried again. */
const FINAL_CODES: readonly ErrorCode[] = [
  'RUN_OVERLAP',
  'QUEUE_FULL',
  'RATE_LIMITED',
  'ALLOWANCE_EXHAUSTED',
  'PRODUCT_NOT_LICENSED',
  'PRODUCT_TURNED_OFF',
  'WORKSPACE_DELETED',
  'PIPELINE_PAUSED',
  'PIPELINE_NOT_FOUND',
  'RUN_PARAMETERS_INVALID',
  'TRIGGER_BODY_TOO_LARGE',
];

/** The outcome of an occasion whose run was rejected; undefined for other errors, after which it is tried again. */
export function rejectionOf(error: unknown): Omit<TriggerRecord, keyof PendingRecord> | undefined {
  if (!(error instanceof AppError) || !FINAL_CODES.includes(error.code)) return undefined;
  const outcome = error.code === 'RUN_OVERLAP' ? 'skipped' : 'refused';
  const activeRunIds = (error.members.activeRunIds as string[] | undefined) ?? [];
  return { outcome, reason: error.code, runId: null, activeRunIds };
}

/** An occasion before its outcome is known. */
export type PendingRecord = Pick<TriggerRecord, 'at' | 'kind' | 'scheduledAt' | 'upstreamRunId'>;

export const startedWith = (runId: string) =>
  ({ outcome: 'started', reason: null, runId, activeRunIds: [] }) satisfies Omit<TriggerRecord, keyof PendingRecord>;

export interface RecordPlace {
  workspaceId: string;
  pipelineId: string;
  occasion: string;
}

/** Records the outcome of an occasion; repeating the same outcome changes nothing. */
export async function recordTrigger(table: Table, of: RecordPlace, record: TriggerRecord): Promise<void> {
  await table.db.send(new PutCommand(triggerRecord(table, of, record)));
}

/** The stored item. */
export function triggerRecord(table: Table, of: RecordPlace, record: TriggerRecord) {
  const { pk } = workspaceKey(of.workspaceId, `PIPELINE#${of.pipelineId}`, '');
  const expiresAt = Math.floor(Date.parse(record.at) / 1000) + RETENTION_SECONDS;
  // Keyed by its own instant if it has one, so that a repeated message writes the same record.
  const sk = `TRIGGER#${record.scheduledAt ?? record.at}#${idFrom(of.occasion, record.outcome)}`;
  return { TableName: table.name, Item: { pk, sk, entity: 'trigger-record', ...record, expiresAt } };
}

/** The newest records of a pipeline. */
export async function readTriggers(
  table: Table,
  of: { workspaceId: string; pipelineId: string },
  limit: number,
): Promise<TriggerRecord[]> {
  const { pk } = workspaceKey(of.workspaceId, `PIPELINE#${of.pipelineId}`, '');
  const page = await table.db.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': pk, ':prefix': 'TRIGGER#' },
      ScanIndexForward: false,
      Limit: limit,
    }),
  );
  return (page.Items ?? []).map((item) => toRecord<TriggerRecord>(item));
}

import { setTimeout as sleep } from 'node:timers/promises';
import {
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  RestoreTableToPointInTimeCommand,
  type TableDescription,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { EXPIRY_ATTRIBUTE } from '../stacks/data-stack.ts';

export interface TableRestore {
  client: DynamoDBClient;
  /** The table to restore; it stays as it is. */
  source: string;
  target: string;
  at: Date;
  log(line: string): void;
  pollMs?: number;
}

/**
 * Restores a table to a moment under another name, with the settings that a restore does not bring along: stream, time
 * to live, point-in-time recovery and protection. Returns the ARN of its stream. Repeat it after an interruption: it
 * continues where it stopped.
 */
export async function restoreTable(restore: TableRestore): Promise<string> {
  const { client, target: TableName, log } = restore;
  const existing = await describe(restore);
  if (existing) requireSameRestore(restore, existing);
  else {
    const { source, at } = restore;
    await client.send(
      new RestoreTableToPointInTimeCommand({
        SourceTableName: source,
        TargetTableName: TableName,
        RestoreDateTime: at,
      }),
    );
    log(`Restoring ${source} to ${TableName}. AWS takes from minutes to hours.`);
  }
  await active(restore);
  await client.send(
    new UpdateContinuousBackupsCommand({
      TableName,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    }),
  );
  await enableExpiry(restore);
  const { DeletionProtectionEnabled: isProtected } = await active(restore);
  if (!isProtected) await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true }));
  const { StreamSpecification: stream } = await active(restore);
  if (!stream?.StreamEnabled) {
    await client.send(
      new UpdateTableCommand({
        TableName,
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
      }),
    );
  }
  return (await active(restore)).LatestStreamArn!;
}

/** A table of the target's name must be this restore, begun earlier: another one would be put into service. */
function requireSameRestore({ source, target, at }: TableRestore, { RestoreSummary: summary }: TableDescription): void {
  const isSame =
    summary?.SourceTableArn?.endsWith(`:table/${source}`) &&
    Math.abs(summary.RestoreDateTime!.getTime() - at.getTime()) < 1000;
  if (!isSame) {
    throw new Error(
      `There is a table ${target} that is no restore of ${source} to ${at.toISOString()}. Choose another name with --to.`,
    );
  }
}

async function describe({ client, target }: TableRestore): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: target }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** Waits until the target can be changed. */
async function active(restore: TableRestore): Promise<TableDescription> {
  for (;;) {
    const table = await describe(restore);
    if (table?.TableStatus === 'ACTIVE') return table;
    restore.log(`${restore.target} is ${table?.TableStatus ?? 'not visible yet'} …`);
    await sleep(restore.pollMs ?? 20_000);
  }
}

async function enableExpiry({ client, target }: TableRestore): Promise<void> {
  try {
    await client.send(
      new UpdateTimeToLiveCommand({
        TableName: target,
        TimeToLiveSpecification: { Enabled: true, AttributeName: EXPIRY_ATTRIBUTE },
      }),
    );
  } catch (error) {
    const isEnabled = error instanceof Error && error.message === 'TimeToLive is already enabled';
    if (!isEnabled) throw error;
  }
}

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { AppError } from '../../../platform/errors/app-error.ts';
import { startCountKey } from './run-keys.ts';
import type { RunContext } from './run-store.ts';
import { START_LIMITS, type StartLimits } from './start-limit-settings.ts';

export const startLimitsOf = (context: RunContext): StartLimits => context.startLimits ?? START_LIMITS;

/** The error until the next minute begins. */
export const rateLimited = (of: 'pipeline' | 'workspace', limit: number, now: Date): AppError =>
  new AppError('RATE_LIMITED', {
    detail: `A ${of} can start at most ${limit} runs per minute.`,
    retryAfterSeconds: 60 - now.getUTCSeconds(),
  });

/**
 * Counts a start of the workspace. The count is updated outside the transaction that stores the run, so concurrent
 * starts do not conflict; a crash in between counts a start that never happened. Throws `RATE_LIMITED`.
 */
export async function countStart(context: RunContext, workspaceId: string): Promise<void> {
  const { perWorkspace } = startLimitsOf(context);
  const now = context.now();
  try {
    await context.table.db.send(
      new UpdateCommand({
        TableName: context.table.name,
        Key: startCountKey(workspaceId, now.toISOString().slice(0, 16)),
        UpdateExpression: 'ADD #count :one SET entity = :entity, expiresAt = :expiresAt',
        ConditionExpression: 'attribute_not_exists(#count) OR #count < :most',
        ExpressionAttributeNames: { '#count': 'count' },
        ExpressionAttributeValues: {
          ':one': 1,
          ':most': perWorkspace,
          ':entity': 'start-count',
          ':expiresAt': Math.floor(now.getTime() / 1000) + 3_600,
        },
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    throw rateLimited('workspace', perWorkspace, now);
  }
}

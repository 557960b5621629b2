import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { ifHolds } from '../../platform/storage/if-holds.ts';
import type { Table } from '../../platform/storage/table.ts';
import { updateOf } from '../../platform/storage/update.ts';
import { userRecordKey } from './keys.ts';
import type { UserRecord } from './records.ts';

/** What a user record has because of a second factor, or of one that is being set up. */
export const SECOND_FACTOR = [
  'sealedTotp',
  'sealedPendingTotp',
  'pendingTotpUntil',
  'totpStep',
  'recoveryDigests',
] as const satisfies (keyof UserRecord)[];

/** Turns the second factor off and ends every sign-in, with one write. Returns false if it is off. */
export function resetSecondFactor(
  table: Table,
  userId: string,
  { signInEpoch, at }: { signInEpoch: string; at: Date },
): Promise<boolean> {
  const change = {
    set: { signInEpoch, updatedAt: at.toISOString() },
    remove: [...SECOND_FACTOR, 'keptSessionId'],
  };
  const update = updateOf(table, userRecordKey(userId), change, { exists: ['sealedTotp'] });
  return ifHolds(table.db.send(new UpdateCommand(update)));
}

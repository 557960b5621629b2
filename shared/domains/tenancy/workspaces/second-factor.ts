import { holdsAudited } from '../../../platform/audit/entry.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import { userRecordKey } from './keys.ts';
import { memberObject } from './members.ts';
import type { StoredMember, UserRecord } from './records.ts';

/** What a user record has because of a second factor, or of one that is being set up. */
export const SECOND_FACTOR = [
  'sealedTotp',
  'sealedPendingTotp',
  'pendingTotpUntil',
  'totpStep',
  'recoveryDigests',
] as const satisfies (keyof UserRecord)[];

/** Turns the second factor of a member off and ends every sign-in, with one write. Returns false if it is off. */
export function resetSecondFactor(
  table: Table,
  member: StoredMember,
  { signInEpoch, at }: { signInEpoch: string; at: Date },
): Promise<boolean> {
  const change = {
    set: { signInEpoch, updatedAt: at.toISOString() },
    remove: [...SECOND_FACTOR, 'keptSessionId'],
  };
  const Update = updateOf(table, userRecordKey(member.userId), change, { exists: ['sealedTotp'] });
  return holdsAudited(table, { Update }, { action: 'user.mfa_reset', object: memberObject(member) });
}

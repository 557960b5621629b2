import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { lockKey, type StoryPlace } from './keys.ts';
import type { SectionLock } from './records.ts';

/** A lock that is not renewed for this long ends. */
export const LOCK_SECONDS = 120;

/** The time of the lock has not ended. */
export const isHeld = ({ expiresAt }: SectionLock, now: Date): boolean => Date.parse(expiresAt) > now.getTime();

/** Whether the owner or an admin has ended the lock of this person, and no one has locked the section since. */
export const isTakenFrom = (lock: SectionLock | undefined, userId: string): boolean =>
  lock?.takenAwayBy !== undefined && lock.holderId === userId;

/**
 * Fails the transaction if another person holds the lock. `endedLockId` is a lock whose holder has lost access: it does
 * not count, whatever its time.
 */
export function notLockedByOthers(
  table: Table,
  place: StoryPlace,
  {
    sectionId,
    userId,
    now,
    endedLockId,
  }: { sectionId: string; userId: string; now: Date; endedLockId?: string | undefined },
): TransactItem {
  return {
    ConditionCheck: {
      TableName: table.name,
      Key: lockKey(place, sectionId),
      ...freeFor({ userId, now, endedLockId }),
    },
  };
}

/** The condition that the person may take or keep the lock. */
export const freeFor = ({
  userId,
  now,
  endedLockId = '',
}: {
  userId: string;
  now: Date;
  endedLockId?: string | undefined;
}) => ({
  ConditionExpression: 'attribute_not_exists(pk) OR lockExpiresAt <= :now OR holderId = :me OR lockId = :ended',
  ExpressionAttributeValues: { ':now': now.toISOString(), ':me': userId, ':ended': endedLockId },
});

/** `expiresAt` is the attribute by which the table removes items, so the end of the lock has another name. */
export function lockItem(place: StoryPlace, { expiresAt, ...lock }: SectionLock): Record<string, unknown> {
  return {
    ...lock,
    ...lockKey(place, lock.sectionId),
    entity: 'story-lock',
    lockExpiresAt: expiresAt,
    expiresAt: Math.floor(Date.parse(expiresAt) / 1000) + 24 * 60 * 60,
  };
}

export function lockOf(item: Record<string, unknown>): SectionLock {
  const { sectionId, lockId, holderId, holderName, membershipId, acquiredAt, renewedAt, lockExpiresAt, takenAwayBy } =
    item as unknown as SectionLock & { lockExpiresAt: string };
  return {
    ...{ sectionId, lockId, holderId, holderName, membershipId, acquiredAt, renewedAt },
    expiresAt: lockExpiresAt,
    ...(takenAwayBy === undefined ? {} : { takenAwayBy }),
  };
}

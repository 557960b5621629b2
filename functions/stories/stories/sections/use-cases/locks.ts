import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import {
  actedOn,
  activityItem,
  assertMayLock,
  assertOpen,
  freeFor,
  isHeld,
  isHidden,
  LOCK_SECONDS,
  lockedBy,
  lockItem,
  lockKey,
  locksInForce,
  type SectionLock,
  sectionOf,
  storyPlaceOf,
} from '../../../../../shared/domains/stories/stories/index.ts';
import { auditItems } from '../../../../../shared/platform/audit/entry.ts';
import type { Principal } from '../../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../../shared/platform/errors/app-error.ts';
import { newId } from '../../../../../shared/platform/storage/ids.ts';
import { ifHolds } from '../../../../../shared/platform/storage/if-holds.ts';
import { onNewest } from '../../../../../shared/platform/storage/on-newest.ts';
import { failedConditions, transact } from '../../../../../shared/platform/storage/transact.ts';
import type { NamedSection, StoryDeps } from '../../use-cases/context.ts';
import { showLock } from '../../use-cases/views.ts';
import type { OwnLock } from '../schemas.ts';
import { endedLock } from './edit-section.ts';

/** Takes or renews the lock. Throws what keeps the caller from editing the section. */
export function takeLock(
  deps: StoryDeps,
  { lockId: own, ...named }: NamedSection & { lockId?: string | undefined },
): Promise<OwnLock> {
  const { principal } = named;
  return onNewest('STALE_WRITE', async () => {
    const { state } = await actedOn(deps, named, 'contributor');
    const section = sectionOf(state, named.sectionId);
    const place = storyPlaceOf(state.record);
    if (await isHidden(deps, principal, section)) throw new AppError('SECTION_HIDDEN');
    assertOpen(state);
    assertMayLock(section, principal.userId);
    const now = deps.now();
    const stored = state.locks.get(section.id);
    const held = (await locksInForce(deps.table, state.record, stored ? [stored] : [], now)).get(section.id);
    if (held && held.holderId !== principal.userId) throw lockedBy(held);
    if (held && own !== undefined && held.lockId !== own) {
      return { ...showLock(held), lockId: null, editSeq: section.editSeq, takenOver: true };
    }
    const lock = nextLock(principal, section.id, { held, own, now });
    const isTaken = await ifHolds(
      deps.table.db.send(
        new PutCommand({
          TableName: deps.table.name,
          Item: lockItem(place, lock),
          ...freeFor({ userId: principal.userId, now, ...endedLock(state, section, held) }),
        }),
      ),
    );
    // Another was faster: the next read says who.
    if (!isTaken) throw new AppError('STALE_WRITE');
    return { ...showLock(lock), lockId: lock.lockId, editSeq: section.editSeq };
  });
}

/** The lock after it was taken or renewed; a renewal keeps its id. */
export function nextLock(
  { userId, name, email, membershipId }: Principal,
  sectionId: string,
  { held, own, now }: { held: SectionLock | undefined; own: string | undefined; now: Date },
): SectionLock {
  const isRenewed = held !== undefined && held.lockId === own;
  return {
    sectionId,
    lockId: isRenewed ? held.lockId : newId(now),
    holderId: userId,
    holderName: name ?? email ?? userId,
    membershipId: membershipId ?? null,
    acquiredAt: held?.acquiredAt ?? now.toISOString(),
    renewedAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + LOCK_SECONDS * 1000).toISOString(),
  };
}

/**
 * Ends the lock of the caller or, with `force`, of anyone. A tab that names its lock leaves that of another tab alone.
 * Throws `FORBIDDEN` for others than the owner and admins.
 */
export async function endLock(
  deps: StoryDeps,
  { force, lockId, ...named }: NamedSection & { force: boolean; lockId?: string | undefined },
): Promise<void> {
  const { principal } = named;
  const { state, sight } = await actedOn(deps, named, 'contributor');
  const { id: sectionId } = sectionOf(state, named.sectionId);
  const place = storyPlaceOf(state.record);
  const lock = state.locks.get(sectionId);
  const now = deps.now();
  if (!lock || !isHeld(lock, now)) return;
  if (lock.holderId === principal.userId) {
    const own = {
      ConditionExpression: lockId === undefined ? 'holderId = :me' : 'holderId = :me AND lockId = :lock',
      ExpressionAttributeValues: { ':me': principal.userId, ...(lockId !== undefined && { ':lock': lockId }) },
    };
    const Key = lockKey(place, sectionId);
    await ifHolds(deps.table.db.send(new DeleteCommand({ TableName: deps.table.name, Key, ...own })));
    return;
  }
  if (!force) throw lockedBy(lock);
  if (sight.via !== 'owner' && principal.role !== 'admin') {
    throw new AppError('FORBIDDEN', {
      detail: 'Only the owner of the story and admins can end the lock of another person.',
    });
  }
  const by = principal.userId;
  const ended: SectionLock = { ...lock, expiresAt: now.toISOString(), takenAwayBy: by };
  const { id, title: name } = state.record;
  try {
    await transact(deps.table, [
      {
        Put: {
          TableName: deps.table.name,
          Item: lockItem(place, ended),
          ConditionExpression: 'lockId = :seen',
          ExpressionAttributeValues: { ':seen': lock.lockId },
        },
      },
      activityItem(deps.table, place, { action: 'lock_taken_away', sectionId }, { by, at: now }),
      ...(await auditItems(deps.table, {
        action: 'story.lock_ended',
        object: { type: 'story', id, name },
        before: { sectionId, holderId: lock.holderId },
      })),
    ]);
  } catch (cause) {
    // The lock has ended, or another tab of its holder has taken it over.
    if (failedConditions(cause).has(0)) throw new AppError('STALE_WRITE', { cause });
    throw cause;
  }
}

import type { Table } from '../../../platform/storage/table.ts';
import { includesLevel, levelFor } from '../../tenancy/grants/index.ts';
import { readPeople } from '../../tenancy/workspaces/index.ts';
import { isHeld } from './locks.ts';
import type { SectionLock, StoryRecord } from './records.ts';

/**
 * The locks whose time has not ended and whose holders still may edit the story: those of people who have left, were
 * deactivated or have lost their access do not count.
 */
export async function locksInForce(
  table: Table,
  { workspaceId, id }: Pick<StoryRecord, 'workspaceId' | 'id'>,
  locks: Iterable<SectionLock>,
  now: Date,
): Promise<Map<string, SectionLock>> {
  const held = [...locks].filter((lock) => isHeld(lock, now));
  if (held.length === 0) return new Map();
  const holderIds = [...new Set(held.map(({ holderId }) => holderId))];
  const people = await readPeople(table, workspaceId, holderIds);
  const editing = new Set<string>();
  await Promise.all(
    holderIds.map(async (userId) => {
      const person = people.get(userId);
      if (!person?.isActive) return;
      if (person.role !== 'viewer') editing.add(userId);
      else {
        const { membershipId } = person;
        const level = await levelFor(table, { workspaceId, userId, membershipId }, { type: 'story', id });
        if (includesLevel('story', level, 'contributor')) editing.add(userId);
      }
    }),
  );
  const inForce = held.filter(({ holderId, membershipId }) => {
    return editing.has(holderId) && (people.get(holderId)?.membershipId ?? null) === membershipId;
  });
  return new Map(inForce.map((lock) => [lock.sectionId, lock]));
}

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { type Follows, mailBatches } from '../../../../shared/domains/delivery/notifications/index.ts';
import {
  type Activity,
  actedOn,
  isHeld,
  listActivity,
  listReaders,
  lockItem,
  locksInForce,
  mayAct,
  type NamedStory,
  noteHeartbeat,
  PRESENT_MS,
  type SectionLock,
  type StoryState,
  seenStory,
  storyPlaceOf,
} from '../../../../shared/domains/stories/stories/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { ifHolds } from '../../../../shared/platform/storage/if-holds.ts';
import { nextLock } from '../sections/use-cases/locks.ts';
import type { StoryDeps } from '../use-cases/context.ts';
import { showLock } from '../use-cases/views.ts';
import type { Heartbeat, StoryPresence, StoryReaders } from './schemas.ts';

type PresenceDeps = Pick<StoryDeps, 'table' | 'store' | 'grantOf' | 'now'>;

const MAX_VIEWERS = 50;
const MAX_READERS = 1_000;

/** Throws `STORY_NOT_FOUND`. */
export async function storyActivity(
  deps: StoryDeps,
  { limit, before, ...named }: NamedStory & { limit: number; before?: number | undefined },
): Promise<{ items: Activity[] }> {
  const { state } = await actedOn(deps, named, 'contributor');
  return { items: await listActivity(deps.table, storyPlaceOf(state.record), { limit, before }) };
}

/** Throws `STORY_NOT_FOUND`. */
export async function setFollowing(
  deps: StoryDeps,
  follows: Follows,
  { following, principal, id }: NamedStory & { following: boolean },
): Promise<{ following: boolean }> {
  await seenStory(deps, { principal, id });
  await follows.set(principal, { type: 'story', id }, following ? 'following' : 'unfollowed');
  return { following };
}

/**
 * Notes that the caller has the story open, with one write: that of the lock if there is one, and otherwise that of the
 * reader. Throws `STORY_NOT_FOUND`.
 */
export async function reportPresence(
  deps: PresenceDeps,
  { sectionId = null, lockId, isIdle = false, readSeconds = 0, ...named }: NamedStory & Heartbeat,
): Promise<StoryPresence> {
  const { principal } = named;
  const { state, sight } = await seenStory(deps, named);
  const now = deps.now();
  const place = storyPlaceOf(state.record);
  const own =
    lockId === undefined || !mayAct(sight, 'contributor')
      ? undefined
      : await renewed(deps, principal, state, lockId, now);
  if (!own) {
    const known = state.record.sectionIds.includes(sectionId ?? '') ? sectionId : null;
    const version = sight.seesDraft ? null : state.record.published!.version;
    const seconds = isIdle ? 0 : readSeconds;
    await noteHeartbeat(deps.table, place, { ...personOf(principal), seconds, version, sectionId: known }, now);
  }
  // A key that polls does not read for its person.
  if (principal.kind === 'user') await mailBatches(deps.table).seen(principal, { type: 'story', id: named.id });
  if (!sight.seesDraft) return { viewers: [], more: 0, sections: [], ...(lockId === undefined ? {} : { lock: null }) };
  const locks = await locksInForce(deps.table, state.record, state.locks.values(), now);
  if (own) locks.set(own.sectionId, own);
  const viewers = await viewersNow(deps, principal, state, locks, now);
  const section = own && state.sections.find(({ id }) => id === own.sectionId);
  return {
    viewers: viewers.slice(0, MAX_VIEWERS),
    more: Math.max(0, viewers.length - MAX_VIEWERS),
    sections: state.sections.map(({ id, editSeq, status }) => {
      const lock = locks.get(id);
      return { id, editSeq, status, lock: lock ? showLock(lock) : null };
    }),
    ...(lockId === undefined ? {} : { lock: ownLock(own, section?.editSeq, { principal, state, lockId, now }) }),
  };
}

const personOf = ({ userId, name, email }: Principal) => ({ userId, name: name ?? email ?? userId });

/** The lock of the tab with a new time; undefined if the tab does not have it any more. */
async function renewed(
  deps: Pick<PresenceDeps, 'table'>,
  principal: Principal,
  { record, locks }: StoryState,
  lockId: string,
  now: Date,
): Promise<SectionLock | undefined> {
  const held = [...locks.values()].find((lock) => lock.lockId === lockId);
  if (!held || held.holderId !== principal.userId || !isHeld(held, now)) return undefined;
  const lock = nextLock(principal, held.sectionId, { held, own: lockId, now });
  const isRenewed = await ifHolds(
    deps.table.db.send(
      new PutCommand({
        TableName: deps.table.name,
        Item: lockItem(storyPlaceOf(record), lock),
        ConditionExpression: 'lockId = :own AND lockExpiresAt > :now',
        ExpressionAttributeValues: { ':own': lockId, ':now': now.toISOString() },
      }),
    ),
  );
  return isRenewed ? lock : undefined;
}

function ownLock(
  own: SectionLock | undefined,
  editSeq: number | undefined,
  { principal, state, lockId, now }: { principal: Principal; state: StoryState; lockId: string; now: Date },
): StoryPresence['lock'] {
  if (own) return { ...showLock(own), lockId, editSeq: editSeq ?? 1 };
  const other = [...state.locks.values()].find((lock) => lock.holderId === principal.userId && isHeld(lock, now));
  const section = other && state.sections.find(({ id }) => id === other.sectionId);
  return other && section ? { ...showLock(other), lockId: null, editSeq: section.editSeq, takenOver: true } : null;
}

/** Others who have the draft open: by their own heartbeats, and by those that renew their locks. */
async function viewersNow(
  deps: Pick<PresenceDeps, 'table'>,
  { userId: me }: Principal,
  { record }: StoryState,
  locks: ReadonlyMap<string, SectionLock>,
  now: Date,
): Promise<StoryPresence['viewers']> {
  const readers = await listReaders(deps.table, storyPlaceOf(record));
  const seen = [
    ...readers.flatMap(({ userId, name, sectionId, openAt }) =>
      openAt ? [{ userId, name, sectionId, lastSeenAt: openAt }] : [],
    ),
    ...[...locks.values()].map(({ holderId: userId, holderName: name, sectionId, renewedAt: lastSeenAt }) => {
      return { userId, name, sectionId, lastSeenAt };
    }),
  ];
  const present = seen
    .filter(({ userId, lastSeenAt }) => userId !== me && Date.parse(lastSeenAt) > now.getTime() - PRESENT_MS)
    .sort((a, b) => (a.lastSeenAt < b.lastSeenAt ? 1 : -1));
  return present.filter(({ userId }, index) => present.findIndex((each) => each.userId === userId) === index);
}

/** Most recent first. Throws `STORY_NOT_FOUND`. */
export async function storyReaders(deps: StoryDeps, named: NamedStory): Promise<StoryReaders> {
  const { state } = await actedOn(deps, named, 'editor');
  const readers = await listReaders(deps.table, storyPlaceOf(state.record));
  const items = readers
    .sort((a, b) => (a.lastReadAt < b.lastReadAt ? 1 : -1))
    .slice(0, MAX_READERS)
    .map(({ userId, name, firstReadAt, lastReadAt, secondsRead, version }) => {
      return { userId, name, firstReadAt, lastReadAt, secondsRead, version };
    });
  return { items, total: readers.length };
}

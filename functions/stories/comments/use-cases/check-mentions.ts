import { silenceOf } from '../../../../shared/domains/delivery/notifications/index.ts';
import {
  groupOf,
  isVisible,
  MAX_GROUP_FOR_ALL,
  MAX_MENTIONED_PEOPLE,
  MAX_MENTIONS,
  type Mentioned,
  type MentionId,
  mentionsIn,
  type Parts,
  partOf,
  partsOf,
  type StoredThread,
} from '../../../../shared/domains/stories/comments/index.ts';
import type { WorkspacePerson } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { inParallel } from '../../../../shared/platform/concurrency/in-parallel.ts';
import { AppError, type Issue } from '../../../../shared/platform/errors/app-error.ts';
import type { CommentDeps } from './context.ts';
import type { Discussed } from './find-object.ts';

const AT_ONCE = 20;

/** The people behind each mention. */
type Reached = { id: MentionId; userIds: readonly string[] };

/**
 * The people whom a text mentions, without those whom `before` mentioned. Throws `VALIDATION_FAILED` for people and
 * groups that do not exist, and for groups that are too large.
 */
export async function findMentioned(
  deps: Pick<CommentDeps, 'people' | 'groups' | 'memberships'>,
  { place: { workspaceId }, subject }: Pick<Discussed, 'place' | 'subject'>,
  { content, listed, before = '' }: { content: string; listed?: readonly MentionId[] | undefined; before?: string },
): Promise<Reached[]> {
  const all = mentionsIn(content);
  const earlier = mentionsIn(before);
  const issues: Issue[] = (listed ?? []).flatMap((id, index) =>
    all.includes(id)
      ? []
      : [{ pointer: `/mentions/${index}`, code: 'NOT_IN_CONTENT', message: 'is not mentioned in `content`' }],
  );
  if (all.length > MAX_MENTIONS)
    issues.push({ pointer: '/content', code: 'TOO_MANY', message: `mentions more than ${MAX_MENTIONS}` });
  if (issues.length > 0) throw new AppError('VALIDATION_FAILED', { errors: issues });

  const fresh = all.filter((id) => !earlier.includes(id));
  const groupIds = fresh.flatMap((id) => groupOf(id) ?? []);
  const [people, groups] = await Promise.all([
    deps.people(
      workspaceId,
      fresh.filter((id) => groupOf(id) === undefined),
    ),
    deps.groups.getMany(workspaceId, groupIds),
  ]);
  const sizes = new Map(
    await Promise.all(
      groups.map(async ({ id: groupId }) => [groupId, await deps.memberships.count({ workspaceId, groupId })] as const),
    ),
  );
  const pointerOf = (id: MentionId) => {
    const index = listed?.indexOf(id) ?? -1;
    return index < 0 ? '/content' : `/mentions/${index}`;
  };
  for (const id of fresh) {
    const groupId = groupOf(id);
    if (groupId === undefined ? !people.has(id) : !sizes.has(groupId))
      issues.push({ pointer: pointerOf(id), code: 'UNKNOWN_MENTION', message: `The workspace has no ${id}` });
    else if (groupId !== undefined && sizes.get(groupId)! > MAX_GROUP_FOR_ALL && !subject.mayEdit) {
      const message = `Only editors mention groups of more than ${MAX_GROUP_FOR_ALL} people`;
      issues.push({ pointer: pointerOf(id), code: 'GROUP_TOO_LARGE', message });
    }
  }
  const count = people.size + [...sizes.values()].reduce((sum, size) => sum + size, 0);
  if (count > MAX_MENTIONED_PEOPLE) {
    const message = `reaches more than ${MAX_MENTIONED_PEOPLE} people`;
    issues.push({ pointer: '/content', code: 'TOO_MANY', message });
  }
  if (issues.length > 0) throw new AppError('VALIDATION_FAILED', { errors: issues });
  return Promise.all(
    fresh.map(async (id) => {
      const groupId = groupOf(id);
      if (groupId === undefined) return { id, userIds: [id] };
      const { items } = await deps.memberships.list({ workspaceId, groupId }, { limit: MAX_MENTIONED_PEOPLE });
      return { id, userIds: items.map(({ userId }) => userId) };
    }),
  );
}

/** Whom the mentions reach: who sees the thread, and has not muted the object. Others are mentioned all the same. */
export async function reachMentioned(
  deps: Pick<CommentDeps, 'table' | 'people' | 'follows'>,
  { principal, place, kind }: Pick<Discussed, 'principal' | 'place' | 'kind'>,
  thread: Pick<StoredThread, 'context' | 'authorId' | 'words'>,
  reached: readonly Reached[],
): Promise<{ mentioned: Mentioned[]; userIds: string[] }> {
  const { table } = deps;
  const wanted = [...new Set(reached.flatMap(({ userIds }) => userIds))];
  if (wanted.length === 0) return { mentioned: [], userIds: [] };
  const people = await deps.people(place.workspaceId, wanted);
  const follows = await deps.follows.read([...people.values()], place);
  const reasons = new Map<string, Mentioned['reason'] | undefined>();
  await inParallel(AT_ONCE, wanted, async (userId) => {
    const person = people.get(userId);
    const reader = person?.isActive ? principalOf(principal, person) : undefined;
    const subject = reader && (await kind.find(table, reader, place.id));
    const sees = subject !== undefined && (await seesThread(table, { kind, place }, reader!, { subject, thread }));
    reasons.set(userId, sees ? silenceOf(userId, principal.userId, follows.get(userId)) : 'NO_ACCESS');
  });
  const isNotified = (userId: string) => [undefined, 'UNSUBSCRIBED'].includes(reasons.get(userId));
  return {
    userIds: wanted.filter(isNotified),
    mentioned: reached.map(({ id, userIds }) => {
      const notified = userIds.some(isNotified);
      const reason = groupOf(id) === undefined ? reasons.get(id) : undefined;
      return { id, notified, ...(reason && { reason }) };
    }),
  };
}

async function seesThread(
  table: CommentDeps['table'],
  { kind, place }: Pick<Discussed, 'kind' | 'place'>,
  reader: Principal,
  { subject, thread }: { subject: Discussed['subject']; thread: Pick<StoredThread, 'context' | 'authorId' | 'words'> },
): Promise<boolean> {
  // A thread on the object itself depends on no part.
  const parts: Parts = partOf(thread.context) ? await partsOf(table, kind, reader, place.id) : new Map();
  return isVisible(thread, { subject, parts, readerId: reader.userId });
}

/** A person as they would be signed in. */
export const principalOf = (caller: Principal, { userId, role, membershipId }: WorkspacePerson): Principal => ({
  kind: 'user',
  userId,
  companyId: caller.companyId,
  companyRole: 'member',
  workspaceId: caller.workspaceId,
  role,
  scope: null,
  credentialId: userId,
  membershipId,
});

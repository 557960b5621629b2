import { isVisible, type StoredThread } from '../../../../shared/domains/stories/comments/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { viewPage } from '../../../../shared/platform/storage/page.ts';
import type { Candidates, CommentsQuery, CommentThreads, Follow } from '../schemas.ts';
import { principalOf } from './check-mentions.ts';
import type { CommentDeps } from './context.ts';
import { type Discussed, findObject, type ResourceRef, settingOf } from './find-object.ts';
import { anchorOf, isOwnOnly, partFor, showThreads, warningOf } from './show-comments.ts';

const MAX_PEOPLE = 20;
const MAX_GROUPS = 5;

interface Named {
  principal: Principal;
  resource: ResourceRef;
}

/** Throws `COMMENT_OBJECT_NOT_FOUND`. */
export async function listComments(
  deps: CommentDeps,
  { principal, resource }: Named,
  { limit, offset, state }: CommentsQuery,
): Promise<CommentThreads> {
  const object = await findObject(deps, principal, resource);
  const { place, subject, part } = object;
  const [all, setting, follows] = await Promise.all([
    deps.store.threads(place),
    settingOf(deps, place.workspaceId),
    deps.follows.read([principal], place),
    principal.kind === 'user' ? deps.batches.seen(principal, place) : undefined,
  ]);
  const threads = all
    .filter((thread) => isVisible(thread, { ...object, readerId: principal.userId }) || isOwnOnly(object, thread))
    .filter((thread) => isOf(part, partFor(object, thread)));
  const isOrphaned = (thread: StoredThread) => anchorOf(object, thread).state === 'orphaned';
  const isOpen = ({ resolvedAt }: StoredThread) => resolvedAt === null;
  const wanted = threads.filter((thread) => {
    if (state === 'orphaned') return isOrphaned(thread);
    return state === 'all' || isOpen(thread) === (state === 'open');
  });
  const page = { items: wanted.slice(offset, offset + limit), total: wanted.length, limit, offset };
  // Of threads that would be too many for a reply, not all are read.
  const shown = await viewPage(page, async (threads) => {
    const read = threads.map(async (thread) => ({ thread, comments: await deps.store.comments(place, thread.id) }));
    return showThreads(deps, object, await Promise.all(read));
  });
  return {
    ...shown,
    counts: {
      open: threads.filter(isOpen).length,
      resolved: threads.filter((thread) => !isOpen(thread)).length,
      orphaned: threads.filter(isOrphaned).length,
    },
    parts: openParts(threads.filter(isOpen).map((thread) => partFor(object, thread))),
    mayComment: principal.scope !== 'read' && (setting === 'everyone' || (setting === 'editors' && subject.mayEdit)),
    comments: setting,
    following: follows.get(principal.userId)?.state ?? 'unfollowed',
    warning: await warningOf(deps, object, part),
  };
}

const isOf = (part: Discussed['part'], about: Discussed['part']): boolean =>
  !part || (about?.type === part.type && about.id === part.id);

function openParts(parts: readonly Discussed['part'][]): CommentThreads['parts'] {
  const counts = new Map<string, CommentThreads['parts'][number]>();
  for (const part of parts) {
    if (!part) continue;
    const name = `${part.type}#${part.id}`;
    const known = counts.get(name) ?? { ...part, open: 0 };
    counts.set(name, { ...known, open: known.open + 1 });
  }
  return [...counts.values()];
}

/** Members and groups by name, and whether each member sees the object. Throws `COMMENT_OBJECT_NOT_FOUND`. */
export async function findCandidates(
  deps: CommentDeps,
  { principal, resource }: Named,
  q: string,
): Promise<Candidates> {
  const { kind, place } = await findObject(deps, principal, resource);
  const text = q.toLowerCase();
  const [members, groups] = await Promise.all([
    deps.members(place.workspaceId),
    deps.groups.list(place.workspaceId, {
      limit: MAX_GROUPS,
      offset: 0,
      sort: 'name',
      matches: ({ name }) => name.toLowerCase().includes(text),
    }),
  ]);
  const found = members
    .filter(({ name, email }) => [name, email].some((each) => each.toLowerCase().includes(text)))
    .sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.userId < b.userId ? -1 : 1))
    .slice(0, MAX_PEOPLE);
  const people = await deps.people(
    place.workspaceId,
    found.map(({ userId }) => userId),
  );
  const users = await Promise.all(
    [...people.values()].map(async (person) => {
      const { userId: id, name, email } = person;
      const seen = person.isActive && (await kind.find(deps.table, principalOf(principal, person), place.id));
      return { id, type: 'user' as const, name, email, hasAccess: Boolean(seen) };
    }),
  );
  const order = new Map(found.map(({ userId }, index) => [userId, index]));
  return {
    items: [
      ...users.toSorted((a, b) => order.get(a.id)! - order.get(b.id)!),
      ...groups.items.map(({ id, name }) => ({
        ...{ id: `group:${id}`, type: 'group' as const, name },
        ...{ email: null, hasAccess: null },
      })),
    ],
  };
}

/** Throws `COMMENT_OBJECT_NOT_FOUND`. */
export async function followObject(
  deps: CommentDeps,
  { principal, resource }: Named,
  { state }: Follow,
): Promise<Follow> {
  const { place } = await findObject(deps, principal, resource);
  await deps.follows.set(principal, place, state);
  return { state };
}

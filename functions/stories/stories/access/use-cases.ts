import {
  actedOn,
  isHidden,
  liveBlockStates,
  type NamedStory,
  type StoryLevel,
  type StoryRecord,
  seenStory,
  storyPlaceOf,
  storySight,
} from '../../../../shared/domains/stories/stories/index.ts';
import {
  type Access,
  type GrantedObject,
  levelFor,
  objectAccess,
} from '../../../../shared/domains/tenancy/grants/index.ts';
import { memberPrincipal, readPeople } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { CursorPageOf } from '../../../../shared/platform/storage/page.ts';
import { isSameAddress } from '../../../../shared/platform/text/email-address.ts';
import type { StoryDeps } from '../use-cases/context.ts';
import type { GrantStoryAccess, StoryAccess, StoryAccessCheck, StoryCandidates } from './schemas.ts';

const MAX_CANDIDATES = 20;

/** Throws `STORY_NOT_FOUND`. */
async function grantedStory(deps: StoryDeps, named: NamedStory): Promise<GrantedObject> {
  const { state } = await actedOn(deps, named, 'editor');
  return grantedObject(deps, state.record);
}

export function grantedObject(
  { stories }: Pick<StoryDeps, 'stories'>,
  { workspaceId, id, title: name }: StoryRecord,
): GrantedObject {
  return { workspaceId, type: 'story', id, name, key: stories.key(workspaceId, id), notFound: 'STORY_NOT_FOUND' };
}

/** Throws `STORY_NOT_FOUND` and the codes of `Cursors.open`. */
export async function listAccess(
  deps: StoryDeps,
  { principal, id, ...page }: NamedStory & { limit: number; cursor?: string | undefined },
): Promise<CursorPageOf<StoryAccess>> {
  const object = await grantedStory(deps, { principal, id });
  const { workspaceId } = principal;
  const found = await objectAccess(deps, async () => object).list({ workspaceId, id, ...page });
  return { ...found, items: found.items.map(showAccess) };
}

/**
 * Throws `NOT_A_MEMBER`, and `ACCESS_EXISTS`. Only members are looked at, so nothing reveals whether others have
 * accounts.
 */
export async function grantAccess(
  deps: StoryDeps,
  { email, permission, ...named }: NamedStory & GrantStoryAccess,
): Promise<StoryAccess> {
  const object = await grantedStory(deps, named);
  const { userId: granteeId } = await memberWith(deps, named.principal.workspaceId, email);
  const grant = { granteeType: 'user', granteeId, level: permission, taken: 'ACCESS_EXISTS' } as const;
  return showAccess(await deps.grants.put(object, grant, { by: named.principal.userId, at: deps.now() }));
}

async function memberWith(deps: StoryDeps, workspaceId: string, email: string) {
  const member = (await deps.members(workspaceId)).find((each) => isSameAddress(each.email, email.trim()));
  if (!member) throw new AppError('NOT_A_MEMBER');
  return member;
}

interface SetCommand extends NamedStory {
  granteeType: 'user' | 'group';
  granteeId: string;
  permission: StoryLevel;
}

/** Throws `MEMBER_NOT_FOUND` or `GROUP_NOT_FOUND`. */
export async function setAccess(
  deps: StoryDeps,
  { permission: level, granteeType, granteeId, ...named }: SetCommand,
): Promise<StoryAccess> {
  const object = await grantedStory(deps, named);
  const act = { by: named.principal.userId, at: deps.now() };
  return showAccess(await deps.grants.put(object, { granteeType, granteeId, level }, act));
}

/** Throws `STORY_ACCESS_NOT_FOUND`. */
export async function revokeAccess(
  deps: StoryDeps,
  { accessId: granteeId, ...named }: NamedStory & { accessId: string },
): Promise<void> {
  const object = await grantedStory(deps, named);
  const act = { by: named.principal.userId, at: deps.now() };
  for (const granteeType of ['user', 'group'] as const) {
    if (await deps.grants.remove(object, { granteeType, granteeId }, act)) return;
  }
  throw new AppError('STORY_ACCESS_NOT_FOUND');
}

/** Members with the text in name or email address. Throws `STORY_NOT_FOUND`. */
export async function findCandidates(
  deps: StoryDeps,
  { search, ...named }: NamedStory & { search: string },
): Promise<StoryCandidates> {
  const { workspaceId } = named.principal;
  const { state } = await seenStory(deps, named);
  const text = search.toLowerCase();
  const found = (await deps.members(workspaceId))
    .filter(({ name, email }) => [name, email].some((each) => each.toLowerCase().includes(text)))
    .sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.userId < b.userId ? -1 : 1))
    .slice(0, MAX_CANDIDATES);
  const seeing = await membersWhoSee(
    deps,
    state.record,
    found.map(({ userId }) => userId),
  );
  return { items: found.map(({ userId, name, email }) => ({ userId, name, email, hasAccess: seeing.has(userId) })) };
}

/** Those of the people who are active members and see the story. */
export async function membersWhoSee(
  { table }: Pick<StoryDeps, 'table'>,
  record: StoryRecord,
  userIds: readonly string[],
): Promise<Set<string>> {
  const { workspaceId, id, published } = record;
  const people = await readPeople(table, workspaceId, userIds);
  const seeing = new Set<string>();
  for (const [userId, { role, isActive, membershipId }] of people) {
    if (!isActive) continue;
    const isOpen = role !== 'viewer' || published !== null;
    if (isOpen || (await levelFor(table, { workspaceId, userId, membershipId }, { type: 'story', id })))
      seeing.add(userId);
  }
  return seeing;
}

/** Throws `STORY_NOT_FOUND` or `NOT_A_MEMBER`. */
export async function checkAccess(
  deps: StoryDeps,
  { email, permission, ...named }: NamedStory & { email: string; permission?: StoryLevel | undefined },
): Promise<StoryAccessCheck> {
  const { workspaceId, companyId } = named.principal;
  const { state } = await actedOn(deps, named, 'editor');
  const member = await memberWith(deps, workspaceId, email);
  const reader = await memberPrincipal(deps.table, { workspaceId, companyId, userId: member.userId });
  if (!reader) throw new AppError('NOT_A_MEMBER');
  const { record } = state;
  const now = storySight(reader, record, await deps.grantOf(reader, record.id));
  const sight = permission ? storySight(reader, record, { level: permission, via: 'grant' }) : now;
  const about = { userId: member.userId, name: member.name, hasAccess: now !== undefined };
  if (!sight) return { ...about, permission: null, view: null, sections: [], blocks: [] };
  const view = sight.seesDraft || !record.published ? 'draft' : 'published';
  const place = storyPlaceOf(record);
  const sections =
    view === 'draft'
      ? await deps.store.withContents(place, state.sections)
      : (await deps.versions.read(place, record.published!.version)).sections;
  const seen: StoryAccessCheck['sections'] = [];
  const blocks: StoryAccessCheck['blocks'] = [];
  for (const section of sections) {
    const hidden = await isHidden(deps, reader, section);
    seen.push({ sectionId: section.id, isHidden: hidden });
    if (hidden) continue;
    for (const block of await liveBlockStates(deps, reader, section.content))
      blocks.push({ sectionId: section.id, ...block });
  }
  return { ...about, permission: sight.permission, view, sections: seen, blocks };
}

function showAccess({ granteeType, granteeId, name, email, level, grantedBy, grantedAt }: Access): StoryAccess {
  const isUser = granteeType === 'user';
  return {
    id: granteeId,
    granteeType,
    userId: isUser ? granteeId : null,
    groupId: isUser ? null : granteeId,
    name,
    email,
    permission: level as StoryLevel,
    grantedBy,
    grantedAt,
  };
}

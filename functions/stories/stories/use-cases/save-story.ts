import type { RichText } from '../../../../shared/data/rich-text/index.ts';
import { purgeAt } from '../../../../shared/domains/boards/dashboards/index.ts';
import type { Follows } from '../../../../shared/domains/delivery/notifications/index.ts';
import {
  actedOn,
  activityItem,
  assertFits,
  type EndedStory,
  type NamedStory,
  type NewActivity,
  type Section,
  type StoryRecord,
  type StoryState,
  type StoryView,
  seenStory,
  storyPlaceOf,
  storySight,
  withStoryUses,
} from '../../../../shared/domains/stories/stories/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { idFrom, later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { TransactItem } from '../../../../shared/platform/storage/table.ts';
import { failedConditions, transact } from '../../../../shared/platform/storage/transact.ts';
import type { CreateStory, Story } from '../schemas.ts';
import type { StoryDeps } from './context.ts';
import { newSection } from './new-section.ts';
import { withValues } from './values.ts';
import { showStory } from './views.ts';

/** Throws `STORY_CONTENT_INVALID` or `STORY_TOO_LARGE`. */
export async function createStory(
  deps: StoryDeps,
  follows: Pick<Follows, 'begin'>,
  { id, principal, story }: { id: string; principal: Principal; story: Omit<CreateStory, 'slots'> },
): Promise<Story> {
  const { workspaceId, userId } = principal;
  const { title = 'Untitled story', summary, mode, sections: given } = story;
  const at = deps.now();
  const sections: Section[] = [];
  for (const [index, content] of given.entries()) {
    const place = { id: idFrom('story-section', id, index), at: `/sections/${index}/content`, beside: sections };
    const section = await newSection(deps, principal, content, place, at);
    sections.push(section);
  }
  assertFits(sections);
  const time = at.toISOString();
  const record: StoryRecord = {
    ...{ id, workspaceId, title, summary, mode },
    ownerId: userId,
    titleByKey: principal.kind === 'apiKey',
    editSeq: 1,
    sectionIds: sections.map((section) => section.id),
    published: null,
    review: null,
    reviewRounds: 0,
    ...{ archivedAt: null, deletedAt: null, deletedBy: null },
    ...{ createdBy: userId, updatedBy: userId, createdAt: time, updatedAt: time, revision: 1 },
  };
  const place = storyPlaceOf(record);
  const [first, rest] = [sections.slice(0, SECTIONS_AT_ONCE), sections.slice(SECTIONS_AT_ONCE)];
  // Nothing reads sections without a record, which the last transaction writes.
  if (rest.length > 0)
    await transact(deps.table, [
      deps.cleanUpItem({ kind: 'story', workspaceId, storyId: id } satisfies EndedStory, orphanedAt(at)),
    ]);
  for (let start = 0; start < rest.length; start += SECTIONS_AT_ONCE)
    await deps.store.writeSections(place, rest.slice(start, start + SECTIONS_AT_ONCE));
  const after = sections.map(({ content }) => content);
  await onNewest('STALE_WRITE', () =>
    withStoryUses(deps.table, place, { after, room: 30 }, (uses) =>
      deps.stories.create(record, [
        ...first.flatMap((section) => deps.store.newSectionItems(place, section)),
        activityItem(deps.table, place, { action: 'created' }, { by: userId, at }),
        ...uses,
      ]),
    ),
  );
  await follows.begin([principal], { type: 'story', id });
  return showStory(deps, principal, await seenStory(deps, { principal, id }));
}

/** A transaction has at most 100 items and 4 MB; a section has two items of at most 256 KiB. */
const SECTIONS_AT_ONCE = 10;

/** When sections without a record belong to a request that has crashed. */
const orphanedAt = (at: Date): Date => new Date(at.getTime() + 10 * 60 * 1000);

/** With the values in its texts. Throws `STORY_NOT_FOUND`. */
export async function getStory(
  deps: StoryDeps,
  { view, onError, ...named }: NamedStory & { view?: StoryView; onError(error: unknown): void },
): Promise<Story> {
  const seen = await seenStory(deps, named);
  const story = await showStory(deps, named.principal, seen, view);
  return withValues(deps, named.principal, { record: seen.state.record, story }, { onError });
}

/** Throws `STORY_NOT_FOUND`. Archiving an archived story changes nothing. */
export const archiveStory = (
  deps: StoryDeps,
  { archived, ...named }: NamedStory & { archived: boolean },
): Promise<Story> =>
  changeStory(deps, named, { action: archived ? 'archived' : 'unarchived' }, ({ record }) => {
    if ((record.archivedAt !== null) === archived) return undefined;
    return { archivedAt: archived ? deps.now().toISOString() : null };
  });

/** Changes the record of a story for an editor, and again if another request was faster. Undefined for no change. */
export function changeStory(
  deps: StoryDeps,
  named: NamedStory,
  activity: NewActivity,
  rule: (state: StoryState) => Partial<StoryRecord> | undefined,
  also: (state: StoryState) => TransactItem[] = () => [],
): Promise<Story> {
  return onNewest('STALE_WRITE', async () => {
    const { state, sight } = await actedOn(deps, named, 'editor');
    const change = rule(state);
    if (!change) return showStory(deps, named.principal, { state, sight });
    const record = await replaceStory(
      deps,
      state.record,
      change,
      { activity, by: named.principal.userId },
      also(state),
    );
    return showStory(deps, named.principal, await seenAgain(deps, named, { ...state, record }));
  });
}

/** The story after a change, which may have brought other sections. */
async function seenAgain(deps: StoryDeps, named: NamedStory, state: StoryState) {
  const known = new Set(state.sections.map(({ id }) => id));
  const isSame = state.record.sectionIds.length === known.size && state.record.sectionIds.every((id) => known.has(id));
  if (!isSame) return seenStory(deps, named);
  const grant = await deps.grantOf(named.principal, named.id);
  const sight = storySight(named.principal, state.record, grant);
  if (!sight) throw new AppError('STORY_NOT_FOUND');
  const order = new Map(state.sections.map((section) => [section.id, section]));
  return { state: { ...state, sections: state.record.sectionIds.map((id) => order.get(id)!) }, sight };
}

/**
 * Replaces the record together with what else changes; `last` ends the transaction. Throws `STALE_WRITE` if the record
 * has changed since it was read, or if the condition of one of the other items does not hold.
 */
export async function replaceStory(
  deps: Pick<StoryDeps, 'table' | 'stories' | 'now'>,
  before: StoryRecord,
  change: Partial<StoryRecord>,
  { activity, by }: { activity: NewActivity; by: string },
  also: TransactItem[] = [],
  last: TransactItem[] = [],
): Promise<StoryRecord> {
  const at = deps.now();
  const next = { ...before, ...change, updatedBy: by, updatedAt: later(before.updatedAt, at) };
  try {
    return await deps.stories.replace(before, next, 'STALE_WRITE', [
      ...also,
      activityItem(deps.table, storyPlaceOf(before), activity, { by, at }),
      ...last,
    ]);
  } catch (cause) {
    if (failedConditions(cause).size > 0) throw new AppError('STALE_WRITE', { cause });
    throw cause;
  }
}

/** Soft: the story can be restored until the clean-up in 30 days. Throws `STORY_NOT_FOUND`. */
export async function deleteStory(deps: StoryDeps, { principal, id }: NamedStory): Promise<void> {
  const { workspaceId, userId } = principal;
  await onNewest('STALE_WRITE', async () => {
    const before = await deps.stories.get(workspaceId, id);
    if (before?.deletedAt !== null) throw new AppError('STORY_NOT_FOUND');
    const at = deps.now();
    const deletedAt = at.toISOString();
    const deleted = {
      ...before,
      deletedAt,
      deletedBy: userId,
      updatedBy: userId,
      updatedAt: later(before.updatedAt, at),
    };
    await deps.stories.replace(before, deleted, 'STALE_WRITE', [
      deps.cleanUpItem({ kind: 'story', workspaceId, storyId: id } satisfies EndedStory, purgeAt(deletedAt)),
    ]);
  });
}

/** Throws `STORY_NOT_FOUND`. */
export async function restoreStory(deps: StoryDeps, { principal, id }: NamedStory): Promise<Story> {
  const { workspaceId, userId: updatedBy } = principal;
  await onNewest('STALE_WRITE', async () => {
    const before = await deps.stories.get(workspaceId, id);
    if (!before) throw new AppError('STORY_NOT_FOUND');
    if (before.deletedAt === null) return;
    // The clean-up that is due later does nothing for a story that is not deleted.
    const updatedAt = later(before.updatedAt, deps.now());
    const restored = { ...before, deletedAt: null, deletedBy: null, updatedBy, updatedAt };
    const after = await textsOf(deps, before);
    await withStoryUses(deps.table, storyPlaceOf(before), { after }, (uses) =>
      deps.stories.replace(before, restored, 'STALE_WRITE', uses),
    );
  });
  return showStory(deps, principal, await seenStory(deps, { principal, id }));
}

/** The texts of the draft and of the published version. */
async function textsOf({ store, versions }: StoryDeps, record: StoryRecord): Promise<RichText[]> {
  const place = storyPlaceOf(record);
  const state = await store.read(place);
  const draft = state ? await store.withContents(place, state.sections) : [];
  const seen = record.published ? (await versions.read(place, record.published.version)).sections : [];
  return [...draft, ...seen].map(({ content }) => content);
}

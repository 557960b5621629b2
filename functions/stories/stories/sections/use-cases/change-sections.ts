import {
  actedOn,
  activityItem,
  assertFits,
  assertOpen,
  assignmentItems,
  blockIdItems,
  isHidden,
  isSameReads,
  MAX_SECTIONS,
  mayAct,
  type NamedStory,
  type NewActivity,
  narrowedItem,
  notLockedByOthers,
  quotesProtected,
  readsOfText,
  revisionItem,
  rightsClassOf,
  type Section,
  type SectionRecord,
  type StoryState,
  sectionOf,
  storyPlaceOf,
  withStoryUses,
} from '../../../../../shared/domains/stories/stories/index.ts';
import { auditItems } from '../../../../../shared/platform/audit/entry.ts';
import type { Principal } from '../../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../../shared/platform/errors/app-error.ts';
import { assertExpected } from '../../../../../shared/platform/storage/expectation.ts';
import { later } from '../../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../../shared/platform/storage/on-newest.ts';
import type { TransactItem } from '../../../../../shared/platform/storage/table.ts';
import type { StorySection } from '../../schemas.ts';
import type { NamedSection, StoryDeps } from '../../use-cases/context.ts';
import { assertMembers } from '../../use-cases/members.ts';
import { newSection } from '../../use-cases/new-section.ts';
import type { Announcer } from '../../use-cases/notices.ts';
import { replaceStory } from '../../use-cases/save-story.ts';
import { locksNow, showSection } from '../../use-cases/views.ts';
import type { AddSection, UpdateWork } from '../schemas.ts';
import { editable, endedLock, followQuotes, keptText } from './edit-section.ts';

/**
 * Throws `STORY_NOT_FOUND`, `STORY_ARCHIVED`, `STORY_CONTENT_INVALID`, `STORY_TOO_LARGE`, or `VALIDATION_FAILED` for a
 * wrong place.
 */
export function addSection(
  deps: StoryDeps,
  { newId, section: given, ...named }: NamedStory & { newId: string; section: AddSection },
): Promise<StorySection> {
  const { principal } = named;
  const { afterSectionId = null, atStart = false, ...members } = given;
  return onNewest('STALE_WRITE', async () => {
    const { state } = await actedOn(deps, named, 'contributor');
    const known = state.sections.find(({ id }) => id === newId);
    if (known) return replySection(deps, named, state, known);
    assertOpen(state);
    const index = placeIn(state, { afterSectionId, atStart });
    const now = deps.now();
    const section = await newSection(
      deps,
      principal,
      members,
      { id: newId, at: '/content', beside: state.sections },
      now,
    );
    const place = storyPlaceOf(state.record);
    assertFits([...state.sections, section]);
    const sectionIds = state.record.sectionIds.toSpliced(index, 0, newId);
    await withStoryUses(deps.table, place, { after: [section.content] }, (uses) =>
      replaceStory(
        deps,
        state.record,
        { sectionIds },
        { activity: { action: 'section_added', sectionId: newId }, by: principal.userId },
        [
          ...deps.store.newSectionItems(place, section),
          ...blockIdItems(deps.table, place, state, { before: undefined, after: section.blockIds }),
        ],
        uses,
      ),
    );
    await followQuotes(deps, { ...named, sectionId: newId });
    return showSection(deps, principal, section, { storyId: named.id, ordinal: index });
  });
}

/** No section is edited that often. */
const NUMBERS_OF_A_LIFE = 1_000_000;

/** Adds a section as a version preserves it, at the end. */
export async function addStoredSection(deps: StoryDeps, named: NamedStory, stored: Section): Promise<void> {
  const { userId: by, kind } = named.principal;
  await onNewest('STALE_WRITE', async () => {
    const { state } = await actedOn(deps, named, 'editor');
    assertOpen(state);
    if (state.record.sectionIds.includes(stored.id)) return;
    const at = deps.now().toISOString();
    // Texts are cached by their number, so it must be one that the removed section has never had.
    const editSeq = stored.editSeq + NUMBERS_OF_A_LIFE;
    const section: Section = {
      ...stored,
      ...{ editSeq, textSeq: editSeq, kept: [editSeq], assigneeId: null, readOnly: false, editorIds: [] },
      ...{
        editedBy: by,
        editedByKey: kind === 'apiKey',
        editedAt: at,
        updatedBy: by,
        updatedAt: at,
        revision: stored.revision + 1,
      },
      rightsClass: await rightsClassOf(deps, named.principal, stored.reads),
    };
    const place = storyPlaceOf(state.record);
    assertFits([...state.sections, section]);
    await withStoryUses(deps.table, place, { after: [section.content] }, (uses) =>
      replaceStory(
        deps,
        state.record,
        { sectionIds: [...state.record.sectionIds, section.id] },
        { activity: { action: 'section_added', sectionId: section.id }, by },
        [
          ...deps.store.newSectionItems(place, section),
          ...blockIdItems(deps.table, place, state, { before: undefined, after: section.blockIds }),
        ],
        uses,
      ),
    );
  });
  await followQuotes(deps, { ...named, sectionId: stored.id });
}

function placeIn(
  { record }: StoryState,
  { afterSectionId, atStart }: { afterSectionId: string | null; atStart: boolean },
) {
  const { sectionIds } = record;
  if (atStart && afterSectionId !== null) {
    const message = 'must be omitted with `atStart`';
    throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/afterSectionId', code: 'CONFLICT', message }] });
  }
  if (atStart) return 0;
  if (afterSectionId === null) return sectionIds.length;
  const index = sectionIds.indexOf(afterSectionId);
  if (index >= 0) return index + 1;
  const message = 'is not the id of a section of the story';
  throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/afterSectionId', code: 'UNKNOWN', message }] });
}

/** Throws `STORY_NOT_FOUND` or `STORY_SECTION_NOT_FOUND`. */
export async function getSection(deps: StoryDeps, named: NamedSection): Promise<StorySection> {
  const { state } = await actedOn(deps, named, 'contributor');
  return replySection(deps, named, state, sectionOf(state, named.sectionId));
}

async function replySection(
  deps: StoryDeps,
  { principal, id: storyId }: NamedStory,
  { record, locks }: StoryState,
  section: SectionRecord,
): Promise<StorySection> {
  const [full] = (await deps.store.withContents(storyPlaceOf(record), [section])) as [Section];
  const lock = locksNow(locks, deps.now()).get(section.id);
  return showSection(deps, principal, full, { storyId, ordinal: record.sectionIds.indexOf(section.id), lock });
}

/**
 * Its text is kept for 30 days, for those who see it. Throws what keeps the caller from changing it, and
 * `SECTION_HIDDEN` for a hidden text that others can read.
 */
export function deleteSection(deps: StoryDeps, named: NamedSection): Promise<void> {
  const { userId } = named.principal;
  return onNewest('STALE_WRITE', async () => {
    const { state, sight } = await actedOn(deps, named, 'contributor');
    const record = sectionOf(state, named.sectionId);
    const place = storyPlaceOf(state.record);
    const [section] = (await deps.store.withContents(place, [record])) as [Section];
    const mayEnd = mayAct(sight, 'editor') && (await hasNoReaders(deps, named.principal, section));
    if (!mayEnd && (await isHidden(deps, named.principal, section))) throw new AppError('SECTION_HIDDEN');
    const { lock } = await editable(deps, named, state, section);
    assertExpected(section.id, section.revision);
    const at = deps.now();
    const sectionIds = state.record.sectionIds.filter((id) => id !== section.id);
    await replaceStory(
      deps,
      state.record,
      { sectionIds },
      { activity: { action: 'section_removed', sectionId: section.id }, by: userId },
      [
        notLockedByOthers(deps.table, place, {
          sectionId: section.id,
          userId,
          now: at,
          ...endedLock(state, section, lock),
        }),
        ...deps.store.removeSectionItems(place, record),
        revisionItem(deps.table, place, { ...keptText(section), reason: 'removed' }, at),
      ],
    );
  });
}

/**
 * Whether only its last author and those who see all rows can read the text, because it is not known what it may
 * quote. The story would keep it for good once they have left.
 */
const hasNoReaders = async (deps: StoryDeps, principal: Principal, { visibility, rightsClass, reads }: Section) =>
  visibility === 'data_access' && (rightsClass === null || (await rightsClassOf(deps, principal, reads)) === null);

/** Throws `STORY_NOT_FOUND`, `STORY_ARCHIVED`, or `VALIDATION_FAILED` unless the order has every section once. */
export async function reorderSections(
  deps: StoryDeps,
  { order, ...named }: NamedStory & { order: readonly string[] },
): Promise<void> {
  await onNewest('STALE_WRITE', async () => {
    const { state } = await actedOn(deps, named, 'editor');
    assertOpen(state);
    const { sectionIds } = state.record;
    assertPermutation(order, sectionIds);
    if (order.every((id, index) => id === sectionIds[index])) return;
    await replaceStory(
      deps,
      state.record,
      { sectionIds: [...order] },
      { activity: { action: 'sections_reordered' }, by: named.principal.userId },
    );
  });
}

function assertPermutation(order: readonly string[], known: readonly string[]): void {
  const errors = order.flatMap((id, index) => {
    const pointer = `/order/${index}`;
    if (!known.includes(id)) return [{ pointer, code: 'UNKNOWN', message: 'is not the id of a section of the story' }];
    if (order.indexOf(id) < index) return [{ pointer, code: 'DUPLICATE', message: 'is already in the list' }];
    return [];
  });
  for (const id of known.filter((each) => !order.includes(each))) {
    errors.push({ pointer: '/order', code: 'REQUIRED', message: `needs the section ${id}` });
  }
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors: errors.slice(0, MAX_SECTIONS) });
}

/** Changes what is not the text of a section. */
async function changeSection(
  deps: StoryDeps,
  { level, ...named }: NamedSection & { level: 'contributor' | 'editor' },
  action: NewActivity['action'],
  rule: (
    section: SectionRecord,
    state: StoryState,
  ) => Promise<{ change: Partial<SectionRecord>; also?: TransactItem[]; afterwards?(): Promise<void> } | undefined>,
): Promise<StorySection> {
  const { userId: by } = named.principal;
  return onNewest('STALE_WRITE', async () => {
    const { state } = await actedOn(deps, named, level);
    const before = sectionOf(state, named.sectionId);
    assertOpen(state);
    const found = await rule(before, state);
    if (!found) return replySection(deps, named, state, before);
    const at = deps.now();
    const place = storyPlaceOf(state.record);
    const stamps = { updatedBy: by, updatedAt: later(before.updatedAt, at) };
    const section = await deps.store.replaceSection(place, before, { ...found.change, ...stamps }, [
      activityItem(deps.table, place, { action, sectionId: before.id }, { by, at }),
      ...(found.also ?? []),
    ]);
    await found.afterwards?.();
    return replySection(deps, named, state, section);
  });
}

/** Throws `STORY_NOT_FOUND`, `STORY_SECTION_NOT_FOUND`, `STORY_ARCHIVED` or `MEMBER_NOT_FOUND`. */
export const updateWork = (
  deps: StoryDeps,
  announcer: Announcer,
  { work, ...named }: NamedSection & { work: UpdateWork },
): Promise<StorySection> =>
  changeSection(deps, { ...named, level: 'contributor' }, 'section_work_changed', async (section, state) => {
    const { assigneeId, dueAt, ...others } = work;
    const change = {
      ...others,
      ...(assigneeId !== undefined && { assigneeId }),
      ...(dueAt !== undefined && { workDueAt: dueAt }),
    };
    if (assigneeId) {
      await assertMembers(deps.table, named.principal.workspaceId, [{ userId: assigneeId, pointer: '/assigneeId' }]);
    }
    if (assigneeId === undefined) return { change };
    const assignment = { sectionId: section.id, before: section.assigneeId, after: assigneeId };
    const also = assignmentItems(deps.table, storyPlaceOf(state.record), assignment);
    if (assigneeId === null || assigneeId === section.assigneeId) return { change, also };
    const at = deps.now().toISOString();
    const by = named.principal.userId;
    const announcement = announcer.assigned(state.record, { id: section.id, assigneeId, by, at });
    return {
      change,
      also: [...also, announcer.item(announcement)],
      afterwards: () => announcer.now(announcement),
    };
  });

/** Throws the same codes. */
export const setEditors = (
  deps: StoryDeps,
  { userIds, ...named }: NamedSection & { userIds: readonly string[] },
): Promise<StorySection> =>
  changeSection(deps, { ...named, level: 'editor' }, 'section_editors_changed', async () => {
    const wanted = userIds.map((userId, index) => ({ userId, pointer: `/userIds/${index}` }));
    await assertMembers(deps.table, named.principal.workspaceId, wanted);
    return { change: { editorIds: [...userIds] } };
  });

/** Throws `STORY_NOT_FOUND`, `STORY_SECTION_NOT_FOUND` or `STORY_ARCHIVED`. */
export const setReadOnly = (
  deps: StoryDeps,
  { locked, ...named }: NamedSection & { locked: boolean },
): Promise<StorySection> =>
  changeSection(
    deps,
    { ...named, level: 'editor' },
    locked ? 'section_made_read_only' : 'section_opened',
    async (section) => (section.readOnly === locked ? undefined : { change: { readOnly: locked } }),
  );

interface SetVisibilityCommand extends NamedSection {
  visibility: Section['visibility'];
  confirm?: boolean | undefined;
}

/** Throws the same codes, `SECTION_HIDDEN`, and `SECTION_NEEDS_DATA_ACCESS` without a confirmation. */
export function setVisibility(deps: StoryDeps, command: SetVisibilityCommand): Promise<StorySection> {
  if (command.visibility === 'data_access') return narrowSection(deps, command);
  const { visibility, confirm = false, ...named } = command;
  return changeSection(deps, { ...named, level: 'editor' }, 'section_visibility_changed', async (record, state) => {
    if (record.visibility === visibility) return undefined;
    const { workspaceId } = named.principal;
    if (await isHidden(deps, named.principal, record)) throw new AppError('SECTION_HIDDEN');
    const [section] = (await deps.store.withContents(storyPlaceOf(state.record), [record])) as [Section];
    const others = state.sections.filter(({ id }) => id !== record.id);
    const reads = await readsOfText(deps, workspaceId, section.content, others);
    // What was kept of earlier texts and of a language model ends with the decision to show this text.
    const rightsClass = isSameReads(reads, record.reads) ? record.rightsClass : null;
    const change = { visibility, reads, rightsClass, aiText: false };
    if (!(await quotesProtected(deps, workspaceId, record.reads))) return { change };
    if (!confirm) throw new AppError('SECTION_NEEDS_DATA_ACCESS');
    const { id, title: name } = state.record;
    const also = await auditItems(deps.table, {
      action: 'story.visibility_opened',
      object: { type: 'story', id, name },
      before: { sectionId: section.id, visibility: section.visibility },
      after: { sectionId: section.id, visibility },
    });
    return { change, also };
  });
}

/**
 * Restricts a section, also in the versions so far. The record of the story changes too, so that no version can be
 * published meanwhile from what was read before.
 */
function narrowSection(deps: StoryDeps, named: NamedSection): Promise<StorySection> {
  const { userId: by } = named.principal;
  const activity: NewActivity = { action: 'section_visibility_changed', sectionId: named.sectionId };
  return onNewest('STALE_WRITE', async () => {
    const { state } = await actedOn(deps, named, 'editor');
    const before = sectionOf(state, named.sectionId);
    assertOpen(state);
    if (before.visibility === 'data_access') return replySection(deps, named, state, before);
    assertExpected(before.id, before.revision);
    const place = storyPlaceOf(state.record);
    const { published } = state.record;
    const known = published ? (await deps.versions.narrowed(place)).get(before.id) : undefined;
    const next: SectionRecord = {
      ...before,
      visibility: 'data_access',
      ...{ updatedBy: by, updatedAt: later(before.updatedAt, deps.now()), revision: before.revision + 1 },
    };
    await replaceStory(deps, state.record, {}, { activity, by }, [
      ...deps.store.sectionItems(place, before, next),
      ...(published ? [narrowedItem(deps.table, place, before, { version: published.version, before: known })] : []),
    ]);
    return replySection(deps, named, state, next);
  });
}

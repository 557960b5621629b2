import { type RichText, sizeOf } from '../../../../../shared/data/rich-text/index.ts';
import {
  actedOn,
  activityItem,
  assertEditable,
  assertFits,
  assertOpen,
  isHidden,
  keepRefused,
  keptWith,
  locksInForce,
  type NewActivity,
  notLockedByOthers,
  placeOf,
  revisionIdOf,
  revisionItem,
  rightsClassOf,
  type Section,
  type SectionLock,
  type SectionRecord,
  type StoryState,
  sectionOf,
} from '../../../../../shared/domains/stories/stories/index.ts';
import { AppError } from '../../../../../shared/platform/errors/app-error.ts';
import type { ErrorCode } from '../../../../../shared/platform/errors/catalogue.ts';
import { later } from '../../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../../shared/platform/storage/on-newest.ts';
import type { NamedSection, StoryDeps } from '../../use-cases/context.ts';
import { blockIdsOf } from '../../use-cases/read-content.ts';

/** A section whose text the caller may change now. */
export interface EditedState {
  state: StoryState;
  section: Section;
  ordinal: number;
  /** The lock on the section, if its holder still has access. */
  lock: SectionLock | undefined;
}

/** What the caller has typed, to be kept if it is refused. */
export interface Typed {
  title: string | null;
  content: RichText;
  baseEditSeq: number | null;
}

export interface SectionEdit {
  title?: string | null | undefined;
  content?: RichText | undefined;
  source?: Section['source'] | undefined;
  ai?: Section['ai'] | undefined;
  status?: Section['status'] | undefined;
  visibility?: Section['visibility'] | undefined;
}

interface EditRule {
  /** The text in its stored form, before any check that could refuse it. Throws `STORY_CONTENT_INVALID`. */
  typed?(section: Section, state: StoryState): Typed | undefined;
  /** Makes the change; undefined for none. */
  edit(edited: EditedState, typed: Typed | undefined): Promise<SectionEdit | undefined> | SectionEdit | undefined;
  activity: NewActivity['action'];
  /** Whether the replaced text is kept although the caller has written it. */
  keepsOwn?: true;
}

export interface EditResult {
  section: Section;
  ordinal: number;
  lock: SectionLock | undefined;
  /** The text of another person that the edit has replaced. */
  overwrote?: { editSeq: number; by: string; at: string; revisionId: string };
}

/** Refusals after which the typed text is kept. */
const KEEPING: readonly ErrorCode[] = [
  'STORY_ARCHIVED',
  'SECTION_EDITORS',
  'SECTION_READ_ONLY',
  'SECTION_LOCKED',
  'LOCK_LOST',
  'STALE_EDIT',
  'STORY_TOO_LARGE',
  'PRECONDITION_FAILED',
  'SERVICE_BUSY',
];

/**
 * Changes the text of a section. Every way to do so goes through here, so that none escapes the checks: access, the
 * list of editors, read-only, the lock, and then the sequence of edits in the rule. Throws the codes of these checks,
 * and those of the rule; an error after which the typed text is kept names its revision.
 */
export async function editSection(deps: StoryDeps, named: NamedSection, rule: EditRule): Promise<EditResult> {
  let typed: Typed | undefined;
  try {
    return await onNewest('STALE_WRITE', async () => {
      const { state } = await actedOn(deps, named, 'contributor');
      const record = sectionOf(state, named.sectionId);
      const [section] = (await deps.store.withContents(placeOf(state.record), [record])) as [Section];
      if (await isHidden(deps, named.principal, section)) throw new AppError('SECTION_HIDDEN');
      typed = rule.typed?.(section, state);
      const edited = await editable(deps, named, state, section);
      const edit = await rule.edit(edited, typed);
      const unchanged = { section, ordinal: edited.ordinal, lock: edited.lock };
      return edit ? await commitEdit(deps, named, edited, edit, rule) : unchanged;
    });
  } catch (error) {
    throw await withKeptText(deps, named, typed, error);
  }
}

/** Throws what keeps the caller from changing the text now. */
export async function editable(
  deps: StoryDeps,
  { principal: { userId } }: NamedSection,
  state: StoryState,
  section: Section,
): Promise<EditedState> {
  assertOpen(state);
  const stored = state.locks.get(section.id);
  const now = deps.now();
  const inForce = await locksInForce(deps.table, state.record, stored ? [stored] : [], now);
  // A lock that was taken away has no time left, but its former holder has to know.
  const lock = inForce.get(section.id) ?? (stored?.takenAwayBy === undefined ? undefined : stored);
  assertEditable(section, { userId, now, lock });
  return { state, section, ordinal: state.record.sectionIds.indexOf(section.id), lock: inForce.get(section.id) };
}

async function withKeptText(deps: StoryDeps, named: NamedSection, typed: Typed | undefined, error: unknown) {
  if (!(typed && error instanceof AppError && KEEPING.includes(error.code))) return error;
  const { principal, id: storyId, sectionId } = named;
  const state = await deps.store.read({ workspaceId: principal.workspaceId, storyId });
  const section = state?.sections.find((each) => each.id === sectionId);
  const kept = {
    sectionId,
    reason: 'refused' as const,
    title: typed.title,
    by: principal.userId,
    editSeq: typed.baseEditSeq,
    visibility: section?.visibility ?? 'data_access',
    rightsClass: section?.rightsClass ?? null,
    content: typed.content,
  };
  const revisionId = await keepRefused(deps.table, { workspaceId: principal.workspaceId, storyId }, kept, deps.now());
  const { code, message: detail, errors, members, cause } = error;
  return new AppError(code, { detail, errors, members: { ...members, revisionId }, cause });
}

/** Autosaves are one activity. */
const SAME_WORK_MS = 10 * 60 * 1000;
/** How long a replaced text of another person is worth a word in the reply. */
const RECENT_MS = 60 * 60 * 1000;

async function commitEdit(
  deps: StoryDeps,
  { principal }: NamedSection,
  { state, section, ordinal, lock }: EditedState,
  { content: given, ...edit }: SectionEdit,
  { activity, keepsOwn }: Pick<EditRule, 'activity' | 'keepsOwn'>,
): Promise<EditResult> {
  const { userId } = principal;
  const place = placeOf(state.record);
  const at = deps.now();
  const time = later(section.updatedAt, at);
  const { content: before, ...record } = section;
  const isNew = given !== undefined && JSON.stringify(given) !== JSON.stringify(before);
  const content = isNew ? given : undefined;
  const change: Partial<SectionRecord> = { ...definedIn(edit), updatedBy: userId, updatedAt: time };
  const changesText = isNew || edit.title !== undefined || edit.source !== undefined || edit.ai !== undefined;
  if (changesText) Object.assign(change, { editSeq: section.editSeq + 1, editedBy: userId, editedAt: time });
  if (content) Object.assign(change, await textMembers(deps, principal, record, content, section.editSeq + 1));
  assertFits(state.sections.map((each) => (each.id === section.id ? { ...each, ...change } : each)));
  const isOthers = content !== undefined && section.editedBy !== userId;
  const kept = { ...keptText(section), reason: 'overwritten' as const };
  const isSameWork =
    activity === 'section_edited' && !isOthers && at.getTime() - Date.parse(section.editedAt) < SAME_WORK_MS;
  const next = await deps.store.replaceSection(place, record, { ...change, content }, [
    notLockedByOthers(deps.table, place, {
      sectionId: section.id,
      userId,
      now: at,
      ...endedLock(state, section, lock),
    }),
    ...(isOthers || (keepsOwn && content) ? [revisionItem(deps.table, place, kept, at)] : []),
    ...(isSameWork
      ? []
      : [activityItem(deps.table, place, { action: activity, sectionId: section.id }, { by: userId, at })]),
  ]);
  const { editSeq, editedBy: by, editedAt } = section;
  const isRecent = isOthers && at.getTime() - Date.parse(editedAt) < RECENT_MS;
  return {
    section: { ...next, content: content ?? before },
    ordinal,
    lock,
    ...(isRecent && { overwrote: { editSeq, by, at: editedAt, revisionId: revisionIdOf(kept, at) } }),
  };
}

async function textMembers(
  deps: StoryDeps,
  principal: NamedSection['principal'],
  { kept }: SectionRecord,
  content: RichText,
  textSeq: number,
): Promise<Partial<SectionRecord>> {
  return {
    textSeq,
    kept: keptWith(kept, textSeq),
    blockIds: blockIdsOf(content),
    bytes: sizeOf(content),
    rightsClass: await rightsClassOf(deps, principal, content),
  };
}

/** A section as a revision keeps it. */
export const keptText = ({
  id: sectionId,
  title,
  editedBy: by,
  editSeq,
  visibility,
  rightsClass,
  content,
}: Section) => ({
  ...{ sectionId, title, by, editSeq, visibility, rightsClass, content },
});

/** The stored lock if its holder has lost access, so that it does not keep others out. */
export const endedLock = (
  { locks }: StoryState,
  { id }: Pick<Section, 'id'>,
  inForce: SectionLock | undefined,
): { endedLockId?: string } => {
  const stored = locks.get(id);
  return stored && !inForce ? { endedLockId: stored.lockId } : {};
};

const definedIn = <T extends object>(members: T): Partial<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>;

import { type RichText, sizeOf } from '../../../../../shared/data/rich-text/index.ts';
import {
  actedOn,
  activityItem,
  assertEditable,
  assertFits,
  assertOpen,
  blockIdItems,
  followWords,
  isHidden,
  joinReads,
  type KeptText,
  keepRefused,
  keptWith,
  locksInForce,
  type NewActivity,
  notLockedByOthers,
  readsOfText,
  revisionIdOf,
  revisionItem,
  rightsClassOf,
  type Section,
  type SectionLock,
  type SectionRecord,
  type StoryState,
  storyPlaceOf,
  wasRemoved,
} from '../../../../../shared/domains/stories/stories/index.ts';
import { AppError } from '../../../../../shared/platform/errors/app-error.ts';
import type { ErrorCode } from '../../../../../shared/platform/errors/catalogue.ts';
import { later } from '../../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../../shared/platform/storage/on-newest.ts';
import type { TransactItem } from '../../../../../shared/platform/storage/table.ts';
import type { NamedSection, StoryDeps } from '../../use-cases/context.ts';
import { mayQuote } from '../../use-cases/new-section.ts';
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
  /** What a text of another time has brought along. */
  from?: Pick<Section, 'reads' | 'aiText'> | undefined;
  /** What else the transaction writes. */
  also?: readonly TransactItem[] | undefined;
}

interface EditRule {
  /**
   * The text in its stored form, before any check that could refuse it. Nothing of the section may be in it if the
   * section is not given, because it is gone or hidden from the caller. Throws `STORY_CONTENT_INVALID`.
   */
  typed?(section: Section | undefined): Typed | undefined;
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
  'STORY_SECTION_NOT_FOUND',
  'STORY_CONTENT_INVALID',
  'STORY_ARCHIVED',
  'SECTION_HIDDEN',
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
    const result = await onNewest('STALE_WRITE', async () => {
      const { state } = await actedOn(deps, named, 'contributor');
      const found = state.sections.find(({ id }) => id === named.sectionId);
      if (!found || (await isHidden(deps, named.principal, found))) {
        typed = rule.typed?.(undefined);
        throw new AppError(found ? 'SECTION_HIDDEN' : 'STORY_SECTION_NOT_FOUND');
      }
      const [section] = (await deps.store.withContents(storyPlaceOf(state.record), [found])) as [Section];
      typed = rule.typed?.(section);
      const edited = await editable(deps, named, state, section);
      const edit = await rule.edit(edited, typed);
      const unchanged = { section, ordinal: edited.ordinal, lock: edited.lock };
      const committed = edit ? await commitEdit(deps, named, edited, edit, rule) : unchanged;
      const sections = state.sections.map((each) => (each.id === section.id ? committed.section : each));
      return { ...committed, changed: { ...state, sections } };
    });
    const { changed, ...edited } = result;
    await followQuotes(deps, named, changed);
    return edited;
  } catch (error) {
    throw await withKeptText(deps, named, typed, error);
  }
}

/** The text is saved, so an error is none of the edit: the next one follows the words of comments. */
export const followQuotes = (
  { table, store }: StoryDeps,
  { principal, id, sectionId }: NamedSection,
  changed?: StoryState,
): Promise<void> =>
  followWords({ table, store }, { workspaceId: principal.workspaceId, storyId: id }, { sectionId, changed }).catch(
    () => undefined,
  );

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

/** Adds to an error what it keeps of the text; the error itself if there is nothing to keep. */
async function withKeptText(deps: StoryDeps, named: NamedSection, typed: Typed | undefined, error: unknown) {
  if (!(typed && error instanceof AppError && KEEPING.includes(error.code))) return error;
  const { principal, id: storyId, sectionId } = named;
  const place = { workspaceId: principal.workspaceId, storyId };
  const state = await deps.store.read(place);
  const section = state?.sections.find((each) => each.id === sectionId);
  if (!section && !(await wasRemoved(deps.table, place, sectionId))) return error;
  const kept: KeptText = {
    sectionId,
    reason: 'refused',
    title: typed.title,
    by: principal.userId,
    editSeq: typed.baseEditSeq,
    visibility: section?.visibility ?? 'data_access',
    reads: section?.reads ?? null,
    rightsClass: section?.rightsClass ?? null,
    content: typed.content,
  };
  // A base that the section has not had yet would be one more place to keep texts in.
  const baseSeq = Math.min(typed.baseEditSeq ?? Number.POSITIVE_INFINITY, section?.editSeq ?? 0);
  const revisionId = await keepRefused(deps.table, place, kept, { baseSeq, at: deps.now() });
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
  { content: given, from, also = [], ...edit }: SectionEdit,
  { activity, keepsOwn }: Pick<EditRule, 'activity' | 'keepsOwn'>,
): Promise<EditResult> {
  const { userId } = principal;
  const editedByKey = principal.kind === 'apiKey';
  const place = storyPlaceOf(state.record);
  const at = deps.now();
  const time = later(section.updatedAt, at);
  const { content: before, ...record } = section;
  const content = given === undefined || isSame(given, before) ? undefined : given;
  const changed = changedIn(record, edit);
  const change: Partial<SectionRecord> = { ...changed, updatedBy: userId, updatedAt: time };
  const replacesText = content !== undefined || changed.title !== undefined;
  if (replacesText || changed.source !== undefined || changed.ai !== undefined) {
    Object.assign(change, { editSeq: section.editSeq + 1, editedBy: userId, editedByKey, editedAt: time });
    Object.assign(change, await rightsOf(deps, principal, { state, record, edit, from, content }));
  }
  if (content) Object.assign(change, textMembers(record, content));
  assertFits(state.sections.map((each) => (each.id === section.id ? { ...each, ...change } : each)));
  // A program that writes as a person is not the person: neither may replace the text of the other unseen.
  const isOthers = replacesText && !(section.editedBy === userId && (section.editedByKey ?? false) === editedByKey);
  const kept = { ...keptText(section), reason: 'overwritten' as const };
  const isSameWork =
    activity === 'section_edited' && !isOthers && at.getTime() - Date.parse(section.editedAt) < SAME_WORK_MS;
  const story = isNarrowed(section, change) ? state.record : undefined;
  const next = await deps.store.replaceSection(place, record, { ...change, content, replaced: before, story }, [
    notLockedByOthers(deps.table, place, {
      sectionId: section.id,
      userId,
      now: at,
      ...endedLock(state, section, lock),
    }),
    ...(content ? blockIdItems(deps.table, place, state, { before: record, after: blockIdsOf(content) }) : []),
    ...(isOthers || (keepsOwn && replacesText) ? [revisionItem(deps.table, place, kept, at)] : []),
    ...also,
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

const isNarrowed = (section: Section, { visibility }: Partial<SectionRecord>): boolean =>
  section.visibility === 'everyone' && visibility === 'data_access';

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The members of an edit that differ from what is stored. */
const changedIn = (
  record: SectionRecord,
  edit: Omit<SectionEdit, 'content' | 'from' | 'also'>,
): Partial<SectionRecord> =>
  Object.fromEntries(
    Object.entries(edit).filter(
      ([name, value]) => value !== undefined && !isSame(value, record[name as keyof SectionRecord]),
    ),
  );

/**
 * Who may see the text from now on. What earlier texts have read counts until the section is opened: this one may still
 * quote it. The part of a language model counts as long, whatever the client declares.
 */
async function rightsOf(
  deps: StoryDeps,
  principal: NamedSection['principal'],
  {
    state,
    record,
    edit,
    from,
    content,
  }: Pick<EditedState, 'state'> &
    Pick<SectionEdit, 'from' | 'content'> & {
      record: SectionRecord;
      edit: Pick<SectionEdit, 'source' | 'visibility'>;
    },
): Promise<Partial<SectionRecord>> {
  const { workspaceId } = principal;
  const others = state.sections.filter(({ id }) => id !== record.id);
  const own = content ? await readsOfText(deps, workspaceId, content, others) : [];
  const reads = [own, ...(from ? [from.reads] : [])].reduce(joinReads, record.reads);
  const aiText = record.aiText || (from?.aiText ?? false) || (edit.source ?? 'manual') !== 'manual';
  const isOpen = (edit.visibility ?? record.visibility) === 'everyone';
  return {
    reads,
    aiText,
    rightsClass: await rightsClassOf(deps, principal, reads),
    ...(isOpen && (await mayQuote(deps, workspaceId, { aiText, reads })) && { visibility: 'data_access' }),
  };
}

function textMembers({ kept, editSeq }: SectionRecord, content: RichText): Partial<SectionRecord> {
  const textSeq = editSeq + 1;
  return { textSeq, kept: keptWith(kept, textSeq), blockIds: blockIdsOf(content), bytes: sizeOf(content) };
}

/** A section as a revision keeps it. */
export const keptText = ({
  id: sectionId,
  title,
  editedBy: by,
  editSeq,
  visibility,
  reads,
  rightsClass,
  content,
}: Section) => ({
  ...{ sectionId, title, by, editSeq, visibility, reads, rightsClass, content },
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

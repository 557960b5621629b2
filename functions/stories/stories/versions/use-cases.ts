import { plainText } from '../../../../shared/data/rich-text/index.ts';
import { type EndedPins, type NotKept, takeSnapshot } from '../../../../shared/domains/stories/snapshots/index.ts';
import {
  actedOn,
  assertOpen,
  isHidden,
  meaningOfStory,
  type NamedStory,
  type Published,
  quotesProtected,
  type Section,
  type SectionRecord,
  type StoryRecord,
  type StorySnapshot,
  type StoryState,
  type StoryVersion,
  seenStory,
  stateOf,
  storyPlaceOf,
  usesOfText,
} from '../../../../shared/domains/stories/stories/index.ts';
import { deprecatedSources } from '../../../../shared/domains/tenancy/certifications/index.ts';
import { isPermitted } from '../../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { PageOf } from '../../../../shared/platform/storage/page.ts';
import type { TransactItem } from '../../../../shared/platform/storage/table.ts';
import type { Story } from '../schemas.ts';
import { addStoredSection, deleteSection } from '../sections/use-cases/change-sections.ts';
import { editable, editSection } from '../sections/use-cases/edit-section.ts';
import type { StoryDeps } from '../use-cases/context.ts';
import type { Announcer } from '../use-cases/notices.ts';
import { replaceStory } from '../use-cases/save-story.ts';
import { replacedTitle } from '../use-cases/update-story.ts';
import { showSection, showStory } from '../use-cases/views.ts';
import type { PublishedStory, PublishStory, StoryVersionDetails } from './schemas.ts';

/**
 * Throws `STORY_NOT_FOUND`, `STORY_ARCHIVED`, `REVIEW_REQUIRED`, and `FORBIDDEN` or `VALIDATION_FAILED` for an
 * override.
 */
export function publishStory(
  deps: StoryDeps,
  announcer: Announcer,
  {
    requestId,
    override,
    overrideReason,
    onError,
    ...named
  }: NamedStory & PublishStory & Reporting & { requestId: string },
): Promise<PublishedStory> {
  if (override) assertMayOverride(named.principal, overrideReason);
  return onNewest('STALE_WRITE', async () => {
    const { state } = await actedOn(deps, named, 'editor');
    assertOpen(state);
    const { record } = state;
    const place = storyPlaceOf(record);
    const sections = await deps.store.withContents(place, state.sections);
    const warnings = [
      ...(await textWarnings(deps, record.workspaceId, sections)),
      ...(await sourceWarnings(deps, record.workspaceId, sections)),
    ];
    if (record.published && record.publishRequest === requestId) {
      return { ...(await deps.versions.find(place, record.published.version)), warnings };
    }
    const review = await reviewWarnings(deps, record, stateOf(record, state.sections));
    if (review === 'required' && !override) throw new AppError('REVIEW_REQUIRED');
    const { title, summary, mode } = record;
    const snapshot = { title, summary, mode, sections };
    const about = { requestId, onError, overrideReason: review === 'required' ? overrideReason : undefined };
    const { version, notKept } = await saveVersion(deps, announcer, named, state, snapshot, about);
    const advice = review === 'required' ? [] : review;
    return { ...version, warnings: [...advice, ...warnings, ...notKept.map(keptWarning)] };
  });
}

/** Throws `FORBIDDEN`, or `VALIDATION_FAILED` without a reason. */
function assertMayOverride(principal: Principal, reason = ''): void {
  if (!isPermitted('stories:override', principal)) {
    throw new AppError('FORBIDDEN', { detail: 'Only admins publish a story without the required review.' });
  }
  if (reason.trim() !== '') return;
  const message = 'is required to publish without the required review';
  throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/overrideReason', code: 'REQUIRED', message }] });
}

/**
 * What the workspace says about the review of a draft, by its state: `required` if it has to be approved first. A draft
 * that is yet to be written has no state, and no approval.
 */
async function reviewWarnings(
  { storyReview }: Pick<StoryDeps, 'storyReview'>,
  { workspaceId, review }: Pick<StoryRecord, 'workspaceId' | 'review'>,
  draft: string | undefined,
): Promise<PublishedStory['warnings'] | 'required'> {
  const setting = await storyReview(workspaceId);
  const isApproved =
    draft !== undefined && review?.reviewers.every(({ decision, state }) => decision === 'approved' && state === draft);
  if (setting === 'off' || isApproved) return [];
  if (setting === 'require') return 'required';
  const message = 'No review of this draft was approved by all of its reviewers. Request one before you publish.';
  return [{ code: 'REVIEW_ADVISED', sectionId: null, message }];
}

/** Where errors go that do not end the request. */
interface Reporting {
  onError(error: unknown): void;
}

const keptWarning = ({ sectionId, blockId }: NotKept): PublishedStory['warnings'][number] => ({
  code: 'ROWS_NOT_KEPT',
  sectionId,
  blockId,
  message:
    'The rows of this live block are not stored, because they cannot be read or are too many. Readers get rows only while the versions of its datasets are kept.',
});

/** Digits beside protected rows may be from these rows. */
async function textWarnings(
  deps: StoryDeps,
  workspaceId: string,
  sections: readonly Section[],
): Promise<PublishedStory['warnings']> {
  const found = await Promise.all(
    sections.map(async ({ id: sectionId, content, visibility, reads }): Promise<PublishedStory['warnings']> => {
      if (visibility !== 'everyone' || !/\d/.test(plainText(content))) return [];
      if (!(await quotesProtected(deps, workspaceId, reads))) return [];
      const message =
        'All readers see the numbers in this text, which may come from rows that not everyone may see. Check the numbers, or restrict the section to `data_access`.';
      return [{ code: 'TEXT_MAY_QUOTE_ROWS', sectionId, message }];
    }),
  );
  return found.flat();
}

/** One for each section and deprecated source. */
async function sourceWarnings(
  { table }: Pick<StoryDeps, 'table'>,
  workspaceId: string,
  sections: readonly Section[],
): Promise<PublishedStory['warnings']> {
  const used = sections.map(({ id, content }) => ({ sectionId: id, uses: usesOfText(content) }));
  const messageOf = await deprecatedSources(
    table,
    workspaceId,
    used.flatMap(({ uses }) => uses),
  );
  return used.flatMap(({ sectionId, uses }) =>
    uses.flatMap((use) => {
      const message = messageOf(use);
      return message === undefined ? [] : [{ code: 'DEPRECATED_SOURCE' as const, sectionId, message }];
    }),
  );
}

/** Stores a version, and makes it the one that readers get. Throws `STALE_WRITE`. */
async function saveVersion(
  deps: StoryDeps,
  announcer: Announcer,
  { principal }: NamedStory,
  { record, sections }: StoryState,
  snapshot: StorySnapshot,
  {
    requestId,
    restoredFrom = null,
    overrideReason = null,
    change = {},
    also = [],
    onError,
  }: Reporting & {
    requestId?: string;
    restoredFrom?: number | null;
    overrideReason?: string | null | undefined;
    change?: Partial<StoryRecord>;
    also?: readonly TransactItem[];
  },
): Promise<{ version: StoryVersion; notKept: NotKept[] }> {
  const { title, summary, mode } = snapshot;
  const place = storyPlaceOf(record);
  const takenAt = deps.now();
  const pinsId = mode === 'snapshot' ? newId(takenAt) : undefined;
  const notKept =
    pinsId === undefined
      ? []
      : await takeSnapshot(deps.blocks, deps.blocks.snapshots, {
          ...{ place, pinsId, takenAt, onError, publisher: principal, sections: snapshot.sections },
          name: await nameOf(deps, principal),
        });
  const by = principal.userId;
  const version: StoryVersion = {
    version: (record.published?.version ?? 0) + 1,
    ...{ title, summary, mode },
    publishedBy: by,
    publishedAt: takenAt.toISOString(),
    sectionCount: snapshot.sections.length,
    restoredFrom,
    overrideReason,
  };
  const { version: number, publishedAt: at } = version;
  const published: Published = {
    ...{ version: number, at, by, title, summary, mode, pinsId },
    editSeq: change.editSeq ?? record.editSeq,
    sectionCount: version.sectionCount,
    state: stateOf(snapshot, sections),
    meaning: meaningOfStory(sections),
  };
  const action = restoredFrom === null ? 'published' : 'version_restored';
  const announcement = announcer.published(record, version);
  await replaceStory(
    deps,
    record,
    { ...change, published, publishRequest: requestId },
    { activity: { action, version: number }, by },
    [
      ...deps.versions.items(place, snapshot, version),
      announcer.item(announcement),
      ...endedPins(deps, record, takenAt),
      ...also,
    ],
  );
  await announcer.now(announcement);
  return { version, notKept };
}

/** Readers get the newest version alone, so the previous one keeps no data. */
function endedPins(deps: StoryDeps, { workspaceId, id: storyId, published }: StoryRecord, at: Date): TransactItem[] {
  if (published?.pinsId === undefined) return [];
  const ended: EndedPins = { kind: 'story-pins', workspaceId, storyId, pinsId: published.pinsId };
  return [deps.cleanUpItem(ended, at)];
}

async function nameOf({ members }: StoryDeps, { workspaceId, userId, name }: Principal): Promise<string> {
  return name ?? (await members(workspaceId)).find((member) => member.userId === userId)?.name ?? 'the publisher';
}

/** Newest first. Throws `STORY_NOT_FOUND`. */
export async function listVersions(
  deps: StoryDeps,
  { limit, offset, ...named }: NamedStory & { limit: number; offset: number },
): Promise<PageOf<StoryVersion>> {
  const { state } = await actedOn(deps, named, 'contributor');
  const newest = state.record.published?.version ?? 0;
  return deps.versions.list(storyPlaceOf(state.record), newest, { limit, offset });
}

/** Throws `STORY_NOT_FOUND` or `STORY_VERSION_NOT_FOUND`. */
export async function getVersion(
  deps: StoryDeps,
  { version, ...named }: NamedStory & { version: number },
): Promise<StoryVersionDetails> {
  const { state } = await actedOn(deps, named, 'contributor');
  const place = storyPlaceOf(state.record);
  const [details, { sections }] = await Promise.all([
    deps.versions.find(place, version),
    deps.versions.read(place, version),
  ]);
  const shown = sections.map((section, ordinal) =>
    showSection(deps, named.principal, section, { storyId: named.id, ordinal }),
  );
  return { ...details, sections: await Promise.all(shown) };
}

/**
 * Makes the texts of a version the draft and publishes them again. Every section that changes is checked before the
 * first one is written, and once more when it is written; a request that is repeated after a crash finishes the rest.
 * Throws `STORY_NOT_FOUND`, `STORY_VERSION_NOT_FOUND`, `STORY_ARCHIVED`, `REVIEW_REQUIRED`, `FORBIDDEN` or
 * `VALIDATION_FAILED` for an override, and what keeps the caller from editing a section.
 */
export async function restoreVersion(
  deps: StoryDeps,
  announcer: Announcer,
  { version, override, overrideReason, onError, ...named }: NamedStory & PublishStory & Reporting & { version: number },
): Promise<Story> {
  const { principal, id } = named;
  if (override) assertMayOverride(principal, overrideReason);
  const { state } = await actedOn(deps, named, 'editor');
  const place = storyPlaceOf(state.record);
  assertOpen(state);
  const snapshot = await deps.versions.read(place, version);
  const current = await deps.store.withContents(place, state.sections);
  const wanted = new Map(snapshot.sections.map((section) => [section.id, section]));
  const removed = current.filter((section) => !wanted.has(section.id));
  const changed = current.filter((section) => wanted.has(section.id) && !isSameText(section, wanted.get(section.id)!));
  const known = new Set(current.map((section) => section.id));
  const added = snapshot.sections.filter((section) => !known.has(section.id));
  const isWritten = [...removed, ...changed, ...added].length === 0;
  const restored = isWritten ? stateOf(snapshot, inOrderOf(snapshot, state.sections)) : undefined;
  await assertReviewed(deps, state.record, { draft: restored, override });
  for (const section of [...removed, ...changed]) {
    const at = { ...named, sectionId: section.id };
    if (await isHidden(deps, principal, section)) throw new AppError('SECTION_HIDDEN');
    await editable(deps, at, state, section);
  }
  // What the caller may not read, they cannot bring back under their own rights.
  for (const section of snapshot.sections) {
    if (await isHidden(deps, principal, section)) throw new AppError('SECTION_HIDDEN');
  }
  for (const { id: sectionId } of removed) await deleteSection(deps, { ...named, sectionId });
  for (const { id: sectionId } of changed) {
    const { title, content, source, ai, visibility, reads, aiText } = wanted.get(sectionId)!;
    // A text that was kept from readers stays so, although the section may be open to everyone by now.
    const narrowed = visibility === 'data_access' ? { visibility } : {};
    await editSection(
      deps,
      { ...named, sectionId },
      {
        activity: 'section_edited',
        keepsOwn: true,
        edit: () => ({ title, content, source, ai, ...narrowed, from: { reads, aiText } }),
      },
    );
  }
  for (const section of added) await addStoredSection(deps, named, section);
  await onNewest('STALE_WRITE', async () => {
    const { state: now } = await actedOn(deps, named, 'editor');
    assertOpen(now);
    const { title, summary, mode } = snapshot;
    const sections = inOrderOf(snapshot, now.sections);
    const sectionIds = sections.map((section) => section.id);
    const draft = stateOf(snapshot, sections);
    const isRequired = await assertReviewed(deps, now.record, { draft, override });
    const full = await deps.store.withContents(place, sections);
    const replaced = replacedTitle(deps, now.record, { title, summary }, principal);
    const change = { ...replaced.change, title, summary, mode, sectionIds, editSeq: now.record.editSeq + 1 };
    const state = { ...now, sections };
    await saveVersion(
      deps,
      announcer,
      named,
      state,
      { title, summary, mode, sections: full },
      {
        ...{ restoredFrom: version, change, onError, also: replaced.items },
        overrideReason: isRequired ? overrideReason : undefined,
      },
    );
  });
  return showStory(deps, principal, await seenStory(deps, { principal, id }));
}

/** Whether the review was overridden. Throws `REVIEW_REQUIRED`. */
async function assertReviewed(
  deps: StoryDeps,
  record: StoryRecord,
  { draft, override = false }: { draft: string | undefined; override?: boolean | undefined },
): Promise<boolean> {
  const isRequired = (await reviewWarnings(deps, record, draft)) === 'required';
  if (isRequired && !override) throw new AppError('REVIEW_REQUIRED');
  return isRequired;
}

/** The sections in the order of a version, then those that another request has added meanwhile: its work stays. */
function inOrderOf(snapshot: StorySnapshot, sections: readonly SectionRecord[]): SectionRecord[] {
  const order = new Map(snapshot.sections.map(({ id }, index) => [id, index]));
  const placeOfSection = ({ id }: SectionRecord) => order.get(id) ?? order.size;
  return sections.toSorted((one, other) => placeOfSection(one) - placeOfSection(other));
}

const isSameText = (one: Section, other: Section): boolean =>
  one.title === other.title && JSON.stringify(one.content) === JSON.stringify(other.content);

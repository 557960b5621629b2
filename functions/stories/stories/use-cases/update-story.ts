import {
  actedOn,
  assertOpen,
  type KeptText,
  keepRefused,
  type NamedStory,
  revisionIdOf,
  revisionItem,
  type StoryRecord,
  seenStory,
  storyPlaceOf,
} from '../../../../shared/domains/stories/stories/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { ErrorCode } from '../../../../shared/platform/errors/catalogue.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { TransactItem } from '../../../../shared/platform/storage/table.ts';
import type { UpdatedStory, UpdateStory } from '../schemas.ts';
import type { StoryDeps } from './context.ts';
import { replaceStory } from './save-story.ts';
import { showStory } from './views.ts';

interface UpdateCommand extends NamedStory {
  change: UpdateStory;
  baseEditSeq?: number | undefined;
}

/** Refusals after which the typed title and summary are kept. */
const KEEPING: readonly ErrorCode[] = ['STORY_ARCHIVED', 'STALE_EDIT', 'PRECONDITION_FAILED', 'SERVICE_BUSY'];

/**
 * Changes the title, the summary and the mode. Throws `STORY_NOT_FOUND`, `STORY_ARCHIVED`, and `STALE_EDIT` if others
 * have changed them since `baseEditSeq`; the error names the revision that keeps what was typed.
 */
export async function updateStory(
  deps: StoryDeps,
  { change, baseEditSeq, ...named }: UpdateCommand,
): Promise<UpdatedStory> {
  let seen: StoryRecord | undefined;
  let overwrote: UpdatedStory['overwrote'];
  try {
    await onNewest('STALE_WRITE', async () => {
      const { state } = await actedOn(deps, named, 'editor');
      seen = state.record;
      assertOpen(state);
      const { title, summary, mode, editSeq } = state.record;
      if (baseEditSeq !== undefined && baseEditSeq !== editSeq) {
        throw new AppError('STALE_EDIT', { members: { currentEditSeq: editSeq, current: { title, summary, mode } } });
      }
      const replaced = replacedTitle(deps, state.record, change, named.principal);
      overwrote = replaced.overwrote;
      await replaceStory(
        deps,
        state.record,
        { ...change, ...replaced.change, editSeq: editSeq + 1 },
        { activity: { action: 'updated' }, by: named.principal.userId },
        replaced.items,
      );
    });
  } catch (error) {
    throw await withKeptTitle(deps, { change, baseEditSeq, ...named }, seen, error);
  }
  const shown = await showStory(deps, named.principal, await seenStory(deps, named));
  return { ...shown, ...(overwrote && { overwrote }) };
}

/** How a change of the title or the summary keeps those of another person, or of an API key. */
export function replacedTitle(
  deps: Pick<StoryDeps, 'table' | 'now'>,
  record: StoryRecord,
  { title = record.title, summary = record.summary }: Pick<UpdateStory, 'title' | 'summary'>,
  { userId, kind }: Pick<Principal, 'userId' | 'kind'>,
): { change: Partial<StoryRecord>; items: TransactItem[]; overwrote?: NonNullable<UpdatedStory['overwrote']> } {
  if (title === record.title && summary === record.summary) return { change: {}, items: [] };
  const now = deps.now();
  const isKey = kind === 'apiKey';
  const change = { titleBy: userId, titleByKey: isKey, titleAt: now.toISOString() };
  const { titleBy: by = record.createdBy, titleAt: at = record.createdAt, editSeq } = record;
  if (by === userId && (record.titleByKey ?? false) === isKey) return { change, items: [] };
  const kept: KeptText = { reason: 'overwritten', title: record.title, summary: record.summary, by, editSeq };
  return {
    change,
    items: [revisionItem(deps.table, storyPlaceOf(record), kept, now)],
    overwrote: { editSeq, by, at, revisionId: revisionIdOf(kept, now) },
  };
}

async function withKeptTitle(
  deps: StoryDeps,
  { change: { title, summary }, baseEditSeq, principal: { userId: by } }: UpdateCommand,
  record: StoryRecord | undefined,
  error: unknown,
) {
  const isTyped = title !== undefined || summary !== undefined;
  if (!(record && isTyped && error instanceof AppError && KEEPING.includes(error.code))) return error;
  const editSeq = Math.min(baseEditSeq ?? record.editSeq, record.editSeq);
  const typed = { title: title ?? record.title, summary: summary === undefined ? record.summary : summary };
  const kept: KeptText = { reason: 'refused', ...typed, by, editSeq };
  const revisionId = await keepRefused(deps.table, storyPlaceOf(record), kept, { baseSeq: editSeq, at: deps.now() });
  const { code, message: detail, errors, members, cause } = error;
  return new AppError(code, { detail, errors, members: { ...members, revisionId }, cause });
}

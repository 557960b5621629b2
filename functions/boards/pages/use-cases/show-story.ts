import { tokensOf } from '../../../../shared/domains/boards/dashboard-pages/index.ts';
import type { BlockCardDeps } from '../../../../shared/domains/stories/live-blocks/index.ts';
import {
  mayAct,
  type RightsClassDeps,
  type SeenStory,
  STORY_SUBJECT,
  type StoryReaderDeps,
  type StoryStore,
  type StoryVersions,
  seenStory,
  stateOf,
  viewedText,
  visibleSections,
} from '../../../../shared/domains/stories/stories/index.ts';
import { storyPage } from '../../../../shared/domains/stories/story-pages/index.ts';
import { isPermitted } from '../../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { pageDocument } from '../../../../shared/platform/pages/page-document.ts';
import { pagedBlocks } from './paged-blocks.ts';
import type { ShowDeps } from './show-dashboard.ts';

export interface ShowStoryDeps
  extends StoryReaderDeps,
    RightsClassDeps,
    BlockCardDeps,
    Pick<ShowDeps, 'themes' | 'files'> {
  store: Pick<StoryStore, 'read' | 'withContents'>;
  versions: Pick<StoryVersions, 'read'>;
}

/** Whether comments on stories can quote their texts. */
const mayQuote = STORY_SUBJECT.anchorText !== undefined;

interface Command {
  id: string;
  principal: Principal;
  view?: 'draft' | 'published' | undefined;
  nonce: string;
}

/**
 * The page of the story as the person sees it, without the sections that are hidden. Throws `STORY_NOT_FOUND`, also if
 * the person may not see the story.
 */
export async function showStory(deps: ShowStoryDeps, { id, principal, view, nonce }: Command): Promise<string> {
  if (principal.isSuspended || !isPermitted('stories:read', principal)) throw new AppError('STORY_NOT_FOUND');
  const seen = await seenStory(deps, { principal, id });
  const { state, sight } = seen;
  const { record } = state;
  const [text, tokens, files] = await Promise.all([
    viewedText(deps, seen, view ?? 'published'),
    tokensOf(deps.themes, principal.workspaceId, null),
    deps.files(),
  ]);
  const { version } = text;
  const isDraft = version === null;
  const sections = await visibleSections(deps, principal, text.sections);
  const page = storyPage({
    path: `/api/d/stories/${id}`,
    title: text.title,
    summary: text.summary,
    version: isDraft ? null : { number: version, publishedAt: record.published!.at },
    offers: sight.seesDraft ? otherState(state, isDraft) : null,
    isArchived: record.archivedAt !== null,
    sections,
    blocks: await pagedBlocks(deps, principal, sections),
    tokens,
    timezone: principal.timezone ?? null,
    reader: principal.name ?? '',
    access: {
      ...{ storyId: id, view: isDraft ? 'draft' : 'published', mayQuote },
      mayModerate: mayAct(sight, 'editor'),
      mayDecide: mayAct(sight, 'contributor') && record.archivedAt === null,
    },
  });
  return pageDocument({ ...page, assets: { ...files, script: files.story }, nonce });
}

/** A draft that equals the published version is not worth a look. */
function otherState({ record, sections }: SeenStory['state'], isDraft: boolean): 'draft' | 'published' | null {
  if (!record.published) return null;
  if (isDraft) return 'published';
  return record.published.state === stateOf(record, sections) ? null : 'draft';
}

import { sizeOf } from '../../../../shared/data/rich-text/index.ts';
import {
  quotesProtected,
  readsOfText,
  rightsClassOf,
  type Section,
  type SectionRecord,
} from '../../../../shared/domains/stories/stories/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import type { NewSection } from '../schemas.ts';
import type { StoryDeps } from './context.ts';
import { blockIdsOf, readContent } from './read-content.ts';

/** A section that has not been stored. Throws `STORY_CONTENT_INVALID`. */
export async function newSection(
  deps: StoryDeps,
  principal: Principal,
  { title = null, content: given, source = 'manual', ai = null }: NewSection,
  { id, at, beside }: { id: string; at: string; beside: readonly SectionRecord[] },
  now: Date,
): Promise<Section> {
  const { userId, kind } = principal;
  const takenIds = new Set(beside.flatMap(({ blockIds }) => blockIds));
  const content = readContent(given, { at, takenIds });
  const reads = await readsOfText(deps, principal.workspaceId, content, beside);
  const aiText = source !== 'manual';
  const time = now.toISOString();
  return {
    ...{ id, title, source, ai, content },
    status: 'draft',
    assigneeId: null,
    workDueAt: null,
    readOnly: false,
    editorIds: [],
    visibility: (await mayQuote(deps, principal.workspaceId, { aiText, reads })) ? 'data_access' : 'everyone',
    reads,
    rightsClass: await rightsClassOf(deps, principal, reads),
    aiText,
    editSeq: 1,
    textSeq: 1,
    kept: [1],
    blockIds: blockIdsOf(content),
    bytes: sizeOf(content),
    ...{ editedBy: userId, editedByKey: kind === 'apiKey' },
    editedAt: time,
    ...{ createdBy: userId, updatedBy: userId, createdAt: time, updatedAt: time, revision: 1 },
  };
}

/** A language model may quote rows that it was given, so its text is first shown to those who may see them. */
export const mayQuote = async (
  deps: StoryDeps,
  workspaceId: string,
  { aiText, reads }: Pick<Section, 'aiText' | 'reads'>,
): Promise<boolean> => aiText && (await quotesProtected(deps, workspaceId, reads));

import { type RichText, sizeOf } from '../../../../shared/data/rich-text/index.ts';
import { isProtectedText, rightsClassOf, type Section } from '../../../../shared/domains/stories/stories/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import type { NewSection } from '../schemas.ts';
import type { StoryDeps } from './context.ts';
import { blockIdsOf, readContent } from './read-content.ts';

/** A section that has not been stored. Throws `STORY_CONTENT_INVALID`. */
export async function newSection(
  deps: StoryDeps,
  principal: Principal,
  { title = null, content: given, source = 'manual', ai = null }: NewSection,
  { id, at, takenIds }: { id: string; at: string; takenIds: ReadonlySet<string> },
  now: Date,
): Promise<Section> {
  const { userId } = principal;
  const content = readContent(given, { at, takenIds });
  const rightsClass = await rightsClassOf(deps, principal, content);
  const time = now.toISOString();
  return {
    ...{ id, title, source, ai, content },
    status: 'draft',
    assigneeId: null,
    workDueAt: null,
    readOnly: false,
    editorIds: [],
    visibility: await firstVisibility(deps, principal.workspaceId, source, content),
    rightsClass,
    editSeq: 1,
    textSeq: 1,
    kept: [1],
    blockIds: blockIdsOf(content),
    bytes: sizeOf(content),
    editedBy: userId,
    editedAt: time,
    ...{ createdBy: userId, updatedBy: userId, createdAt: time, updatedAt: time, revision: 1 },
  };
}

/** A language model may quote rows that it was given, so its text is first shown to those who may see them. */
export const firstVisibility = async (
  deps: StoryDeps,
  workspaceId: string,
  source: Section['source'],
  content: RichText,
): Promise<Section['visibility']> =>
  source !== 'manual' && (await isProtectedText(deps, workspaceId, content)) ? 'data_access' : 'everyone';

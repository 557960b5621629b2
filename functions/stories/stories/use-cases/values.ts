import { inlineValues, liveValues } from '../../../../shared/domains/stories/live-blocks/index.ts';
import { snapshotValues } from '../../../../shared/domains/stories/snapshots/index.ts';
import type { StoryRecord } from '../../../../shared/domains/stories/stories/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import type { Story } from '../schemas.ts';
import type { StoryDeps } from './context.ts';

/** The story with the values in the texts that the reader sees. */
export async function withValues(
  deps: StoryDeps,
  principal: Principal,
  { record, story }: { record: StoryRecord; story: Story },
  options: { onError(error: unknown): void },
): Promise<Story> {
  const texts = story.sections.flatMap(({ content, ...section }) => (content ? [{ ...section, content }] : []));
  const isKept = story.view === 'published' && story.mode === 'snapshot';
  const reader = isKept ? snapshotValues(deps.blocks, principal, record) : liveValues(deps.blocks, principal);
  const values = await inlineValues(reader, texts, options);
  if (values.size === 0) return story;
  return {
    ...story,
    sections: story.sections.map((section) => {
      const found = values.get(section.id);
      return found ? { ...section, values: found } : section;
    }),
  };
}

import type { RichText } from '../../../data/rich-text/index.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { rightsDeps } from '../../semantics/row-rights/index.ts';
import { isHidden, STORY_SUBJECT, storyStore, storyVersions } from '../../stories/stories/index.ts';

interface SeenContents {
  contents: readonly RichText[];
  /** False if sections are hidden from the reader. */
  isComplete: boolean;
}

/**
 * The texts of the sections that the reader sees, of the draft and of what its readers see. Readers do not learn what a
 * draft uses, or a section that is hidden from them.
 */
export async function contentsOfStory(
  { table, reader }: { table: Table; reader: Principal },
  storyId: string,
): Promise<SeenContents> {
  const story = await STORY_SUBJECT.find(table, reader, storyId);
  if (!story?.mayEdit) return { contents: [], isComplete: false };
  const place = { workspaceId: reader.workspaceId, storyId };
  const store = storyStore(table);
  const state = await store.read(place);
  if (!state) return { contents: [], isComplete: true };
  const { published } = state.record;
  const sections = [
    ...(await store.withContents(place, state.sections)),
    ...(published ? (await storyVersions(table).read(place, published.version)).sections : []),
  ];
  const rights = { charts: { rights: rightsDeps(table, table.now) } };
  const hidden = await Promise.all(sections.map((section) => isHidden(rights, reader, section)));
  const contents = sections.filter((_section, index) => !hidden[index]).map(({ content }) => content);
  return { contents, isComplete: !hidden.includes(true) };
}

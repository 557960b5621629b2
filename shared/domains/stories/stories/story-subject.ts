import type { Quote } from '../../../data/rich-text/index.ts';
import { dashboardStore, dashboardVersions } from '../../boards/dashboards/index.ts';
import { rightsDeps } from '../../semantics/row-rights/index.ts';
import { grantReader } from '../../tenancy/grants/index.ts';
import type { SubjectKind, SubjectPart } from '../../tenancy/subjects/index.ts';
import { anchorText, quoteIn } from './anchor-text.ts';
import { blockSources } from './block-sources.ts';
import type { Section, SectionRecord } from './records.ts';
import { storyRepository } from './repository.ts';
import { isHidden, quotesProtected } from './rights-class.ts';
import { storySight } from './sight.ts';
import { storyStore } from './store.ts';
import { storyVersions } from './versions.ts';

/** Titles of sections may be hidden from the reader, so parts have none. */
const partOf = (type: 'section' | 'block', id: string, isKept: boolean): SubjectPart => ({
  ...{ type, id, name: '' },
  ...(isKept && { isHidden: true }),
});

/** Stories, whose parts are their sections and the blocks of these. */
export const STORY_SUBJECT: SubjectKind = {
  type: 'story',
  read: { permission: 'stories:read' },
  partTypes: ['section', 'block'],
  anchorText,

  async find(table, reader, id) {
    const [record, grant] = await Promise.all([
      storyRepository(table).get(reader.workspaceId, id),
      grantReader(table, 'story')(reader, id),
    ]);
    const sight = record?.deletedAt === null ? storySight({ ...reader, scope: null }, record, grant) : undefined;
    if (!record || !sight) return undefined;
    const { title, published, ownerId } = record;
    const name = sight.seesDraft ? title : published!.title;
    const path = `/d/stories/${id}${published && sight.seesDraft ? '?view=draft' : ''}`;
    return { type: 'story', id, name, path, mayEdit: sight.permission === 'editor', ownerId };
  },

  async parts(table, reader, storyId) {
    const place = { workspaceId: reader.workspaceId, storyId };
    const [state, grant] = await Promise.all([
      storyStore(table).read(place),
      grantReader(table, 'story')(reader, storyId),
    ]);
    const sight = state && storySight({ ...reader, scope: null }, state.record, grant);
    if (!sight) return [];
    const rights = { charts: { rights: rightsDeps(table, table.now) } };
    const published = sight.seesDraft
      ? undefined
      : (await storyVersions(table).read(place, state.record.published!.version)).sections;
    const seen: readonly SectionRecord[] = published ?? state.sections;
    const known = new Set(seen.map(({ id }) => id));
    const protection = ({ reads }: SectionRecord) => ({
      quotesProtected: () => quotesProtected(rights, reader.workspaceId, reads),
    });
    const draftOf = async (section: SectionRecord) => (await storyStore(table).withContents(place, [section]))[0]!;
    const boards = { dashboards: dashboardStore(table), dashboardVersions: dashboardVersions(table) };
    const sourcesOfBlock = ({ content }: Pick<Section, 'content'>, blockId: string) =>
      blockSources(boards, reader.workspaceId, {
        ...content,
        content: content.content.filter(({ attrs }) => attrs.id === blockId),
      });
    const shown = seen.map(async (section) => {
      const isKept = await isHidden(rights, reader, section);
      const text = published?.find(({ id }) => id === section.id);
      const quoting = text && !isKept ? { quoteIn: (id: string, quote: Quote) => quoteIn(text, id, quote) } : {};
      return [
        { ...partOf('section', section.id, isKept), ...quoting, ...protection(section) },
        ...section.blockIds.map((id) => ({
          ...partOf('block', id, isKept),
          parent: { type: 'section', id: section.id },
          ...protection(section),
          readSources: async () => sourcesOfBlock(text ?? (await draftOf(section)), id),
        })),
      ];
    });
    const gone = [...state.removed].filter(([id]) => !known.has(id));
    const removed = gone.map(async ([id, text]) =>
      (await isHidden(rights, reader, text)) ? [partOf('section', id, true)] : [],
    );
    const unpublished = published ? state.sections.filter(({ id }) => !known.has(id)) : [];
    return [
      ...(await Promise.all([...shown, ...removed])).flat(),
      ...unpublished.flatMap(({ id, blockIds }) => [
        partOf('section', id, true),
        ...blockIds.map((blockId) => partOf('block', blockId, true)),
      ]),
    ];
  },

  present: (table, workspaceId, storyId) => storyStore(table).presentItem({ workspaceId, storyId }),
};

import { rightsDeps } from '../../semantics/row-rights/index.ts';
import { grantReader } from '../../tenancy/grants/index.ts';
import type { SubjectKind, SubjectPart } from '../../tenancy/subjects/index.ts';
import type { TextRights } from './records.ts';
import { storyRepository } from './repository.ts';
import { isHidden } from './rights-class.ts';
import { storySight } from './sight.ts';
import { storyStore } from './store.ts';
import { storyVersions } from './versions.ts';

type KnownText = TextRights & { id: string };

/** Titles of sections may be hidden from the reader, so parts have none. */
const partOf = (id: string, isKept: boolean): SubjectPart => ({
  ...{ type: 'section', id, name: '' },
  ...(isKept && { isHidden: true }),
});

/** Stories, whose parts are their sections. */
export const STORY_SUBJECT: SubjectKind = {
  type: 'story',
  partTypes: ['section'],

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
    const seen: readonly KnownText[] = sight.seesDraft
      ? state.sections
      : (await storyVersions(table).read(place, state.record.published!.version)).sections;
    const removed = [...state.removed].map(([id, rights]): KnownText => ({ id, ...rights }));
    const known = new Set(seen.map(({ id }) => id));
    const rights = { charts: { rights: rightsDeps(table, table.now) } };
    const parts = [...seen, ...removed.filter(({ id }) => !known.has(id))].map(async (section) =>
      partOf(section.id, await isHidden(rights, reader, section)),
    );
    const unpublished = sight.seesDraft ? [] : state.sections.filter(({ id }) => !known.has(id));
    const shown = (await Promise.all(parts)).filter(({ id, isHidden: isKept }) => known.has(id) || isKept);
    return [...shown, ...unpublished.map(({ id }) => partOf(id, true))];
  },

  present: (table, workspaceId, storyId) => storyStore(table).presentItem({ workspaceId, storyId }),
};

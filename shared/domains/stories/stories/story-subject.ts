import { grantReader } from '../../tenancy/grants/index.ts';
import type { SubjectKind } from '../../tenancy/subjects/index.ts';
import { storyRepository } from './repository.ts';
import { storySight } from './sight.ts';
import { storyStore } from './store.ts';
import { storyVersions } from './versions.ts';

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
    return { type: 'story', id, name, path: null, mayEdit: sight.permission === 'editor', ownerId };
  },

  // Titles of sections may be hidden from the reader, so parts have none.
  async parts(table, reader, storyId) {
    const place = { workspaceId: reader.workspaceId, storyId };
    const [state, grant] = await Promise.all([
      storyStore(table).read(place),
      grantReader(table, 'story')(reader, storyId),
    ]);
    const sight = state && storySight({ ...reader, scope: null }, state.record, grant);
    if (!sight) return [];
    const sections = sight.seesDraft
      ? state.sections
      : (await storyVersions(table).read(place, state.record.published!.version)).sections;
    return sections.map(({ id }) => ({ type: 'section', id, name: '' }));
  },

  present: (table, workspaceId, storyId) => storyStore(table).presentItem({ workspaceId, storyId }),
};

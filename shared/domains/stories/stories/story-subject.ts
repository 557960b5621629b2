import { grantReader } from '../../tenancy/grants/index.ts';
import type { SubjectKind } from '../../tenancy/subjects/index.ts';
import { storyRepository } from './repository.ts';
import { storySight } from './sight.ts';
import { storyStore } from './store.ts';

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
  async parts(table, { workspaceId }, storyId) {
    const state = await storyStore(table).read({ workspaceId, storyId });
    return state?.sections.map(({ id }) => ({ type: 'section', id, name: '' })) ?? [];
  },

  present: (table, workspaceId, storyId) => storyStore(table).presentItem({ workspaceId, storyId }),
};

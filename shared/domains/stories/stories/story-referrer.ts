import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { ReferrerKind } from '../../../platform/storage/referrers.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { recordKey, type StoryPlace, usesKey } from './keys.ts';
import type { StoryRecord } from './records.ts';
import { storyPlaceOf, storyStore } from './store.ts';
import { usesOfText } from './story-uses.ts';
import { storyVersions } from './versions.ts';

/** Stories use what their draft shows, and what their readers see. A deleted one uses nothing until it is restored. */
export const STORY_USES: ReferrerKind = {
  type: 'story',

  async read(table, workspaceId, storyId) {
    const place = { workspaceId, storyId };
    // Read first: a use that comes afterwards changes it.
    const added = await addedUses(table, place);
    const store = storyStore(table);
    const state = await store.read(place);
    if (!state) return undefined;
    const { record } = state;
    const unchanged = [sameCount(table, place, added), sameRevision(table, record)];
    if (record.deletedAt !== null) return { name: record.title, uses: [], unchanged };
    const sections = await store.withContents(place, state.sections);
    const seen = record.published ? (await storyVersions(table).read(place, record.published.version)).sections : [];
    const uses = [...sections, ...seen].flatMap(({ content }) => usesOfText(content));
    return { name: record.title, uses, unchanged };
  },
};

async function addedUses(table: Table, place: StoryPlace): Promise<number | undefined> {
  const found = await table.db.send(
    new GetCommand({ TableName: table.name, Key: usesKey(place), ConsistentRead: true }),
  );
  return found.Item?.added as number | undefined;
}

const sameCount = (table: Table, place: StoryPlace, added: number | undefined): TransactItem => ({
  ConditionCheck: {
    TableName: table.name,
    Key: usesKey(place),
    ...(added === undefined
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : { ConditionExpression: 'added = :seen', ExpressionAttributeValues: { ':seen': added } }),
  },
});

const sameRevision = (table: Table, record: StoryRecord): TransactItem => ({
  ConditionCheck: {
    TableName: table.name,
    Key: recordKey(storyPlaceOf(record)),
    ConditionExpression: 'revision = :seen',
    ExpressionAttributeValues: { ':seen': record.revision },
  },
});

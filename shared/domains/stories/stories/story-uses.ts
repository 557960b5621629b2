import { inlineValuesOf, liveBlocksOf, type RichText } from '../../../data/rich-text/index.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { withReferences } from '../../../platform/storage/references.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { type Use, useItems } from '../../../platform/storage/uses.ts';
import type { ChartSpec } from '../../boards/charts/index.ts';
import { type StoryPlace, usesKey } from './keys.ts';

/** What the charts and values of a text show. Cards belong to their dashboards, which use what the cards show. */
export const usesOfText = (content: RichText): Use[] => [
  ...liveBlocksOf(content).flatMap(({ part: { source } }) =>
    source.kind === 'chart' ? (source.chartSpec as ChartSpec).query.source : [],
  ),
  ...inlineValuesOf(content).flatMap(({ part: { source } }): Use[] =>
    'metricId' in source ? [{ kind: 'metric', id: source.metricId }] : [],
  ),
];

/**
 * The last items of the transaction that stores other texts; see `useItems`. Stories keep what they use in texts of
 * their own items, so a counter notes that another use has come.
 */
export async function storyUseItems(
  table: Table,
  place: StoryPlace,
  { before = [], after, room = ROOM }: { before?: readonly RichText[]; after: readonly RichText[]; room?: number },
): Promise<TransactItem[]> {
  const { workspaceId, storyId: id } = place;
  const items = await useItems(
    table,
    { workspaceId, type: 'story', id },
    { before: before.flatMap(usesOfText), after: after.flatMap(usesOfText), room },
  );
  return items.length === 0 ? [] : [countItem(table, place), ...items];
}

/** Writes other texts with these items. Throws `STALE_WRITE` if something that they use was deleted meanwhile. */
export async function withStoryUses<T>(
  table: Table,
  place: StoryPlace,
  change: Parameters<typeof storyUseItems>[2],
  write: (items: TransactItem[]) => Promise<T>,
): Promise<T> {
  return withReferences(
    await storyUseItems(table, place, change),
    write,
    (cause) => new AppError('STALE_WRITE', { cause }),
  );
}

/** The other items of an edit are few. */
const ROOM = 40;

const countItem = (table: Table, place: StoryPlace): TransactItem => ({
  Update: {
    TableName: table.name,
    Key: usesKey(place),
    UpdateExpression: 'ADD added :one SET entity = :entity',
    ExpressionAttributeValues: { ':one': 1, ':entity': 'story-uses' },
  },
});

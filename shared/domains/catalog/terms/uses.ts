import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import { usesKey } from './keys.ts';
import type { NamedTerm } from './records.ts';

/** All of them are read to show those that a reader may see. */
export const MAX_RELATIONS = 500;
export const MAX_LINKS = 1_000;

const MAX = { relations: MAX_RELATIONS, links: MAX_LINKS };

/** Fails the transaction once the term has as many as it may have. */
export function useAdded(table: Table, term: NamedTerm, what: keyof typeof MAX): TransactItem {
  const update = updateOf(table, usesKey(term), { add: { [what]: 1, changes: 1 } });
  return {
    Update: {
      ...update,
      ConditionExpression: `attribute_not_exists(#${what}) OR #${what} < :max`,
      ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':max': MAX[what] },
    },
  };
}

/** Fails the transaction once the term is purged. */
export const usesRemoved = (table: Table, term: NamedTerm, what: keyof typeof MAX): TransactItem => ({
  Update: {
    ...updateOf(table, usesKey(term), { add: { [what]: -1, changes: 1 } }),
    ConditionExpression: 'attribute_exists(pk)',
  },
});

/** How often relations and links of the term were added or removed so far. */
export async function changesOfUses(table: Table, term: NamedTerm): Promise<number> {
  const Key = usesKey(term);
  const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  return (found.Item?.changes as number | undefined) ?? 0;
}

/**
 * Part of the transaction that deletes the term: fails if it has a relation, which another term has too, and if
 * relations or links have changed since the number of their changes was read.
 */
export const withoutRelations = (table: Table, term: NamedTerm, changes: number | null): TransactItem => {
  const update = updateOf(table, usesKey(term), { add: { changes: 1 } });
  return {
    Update: {
      ...update,
      ConditionExpression:
        changes === null
          ? `attribute_not_exists(#relations) OR #relations = :none`
          : `attribute_not_exists(pk) OR (#changes = :seen AND (attribute_not_exists(#relations) OR #relations = :none))`,
      ExpressionAttributeNames: { ...update.ExpressionAttributeNames, '#relations': 'relations' },
      ExpressionAttributeValues: {
        ...update.ExpressionAttributeValues,
        ':none': 0,
        ...(changes !== null && { ':seen': changes }),
      },
    },
  };
};

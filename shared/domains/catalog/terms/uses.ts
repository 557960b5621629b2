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
  const update = updateOf(table, usesKey(term), { add: { [what]: 1, total: 1 } });
  return {
    Update: {
      ...update,
      ConditionExpression: `attribute_not_exists(#${what}) OR #${what} < :max`,
      ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':max': MAX[what] },
    },
  };
}

export const usesRemoved = (table: Table, term: NamedTerm, what: keyof typeof MAX, count = 1): TransactItem => ({
  Update: updateOf(table, usesKey(term), { add: { [what]: -count, total: -count } }),
});

/** Part of the transaction that deletes the term: fails if a relation or link was added in between. */
export const withoutUses = (table: Table, term: NamedTerm): TransactItem => ({
  Delete: {
    TableName: table.name,
    Key: usesKey(term),
    ConditionExpression: 'attribute_not_exists(#total) OR #total = :none',
    ExpressionAttributeNames: { '#total': 'total' },
    ExpressionAttributeValues: { ':none': 0 },
  },
});

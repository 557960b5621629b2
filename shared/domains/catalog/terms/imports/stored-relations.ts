import { inParallel } from '../../../../platform/concurrency/in-parallel.ts';
import { itemsBelow } from '../../../../platform/storage/query-items.ts';
import { readItems } from '../../../../platform/storage/read-items.ts';
import type { Table } from '../../../../platform/storage/table.ts';
import { termItemKey, usesKey } from '../keys.ts';
import type { NamedTerm } from '../records.ts';
import { COLUMN_RELATIONS, type ColumnRelation } from './csv.ts';

/** As seen from the first term: the other one is broader, related, or its successor. */
export interface StoredRelation {
  id: string;
  relation: ColumnRelation;
  otherId: string;
}

const WIDTH = 20;

/** All relations of the terms, each `related` one from both ends. Only partitions of terms that have any are read. */
export async function readRelations(table: Table, terms: readonly NamedTerm[]): Promise<StoredRelation[]> {
  const byKey = new Map(terms.map((term) => [usesKey(term).pk, term]));
  const uses = await readItems(table, terms.map(usesKey));
  const related = uses.flatMap(({ pk, relations }) => ((relations as number) > 0 ? [byKey.get(pk as string)!] : []));
  const found: StoredRelation[] = [];
  await inParallel(WIDTH, related, async (term) => {
    for await (const { sk } of itemsBelow(table, termItemKey(term, 'RELATION#'))) {
      const [, relation, otherId] = (sk as string).split('#') as [string, ColumnRelation, string];
      if (COLUMN_RELATIONS.includes(relation)) found.push({ id: term.id, relation, otherId });
    }
  });
  return found;
}

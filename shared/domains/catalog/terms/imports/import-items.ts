import { auditItems } from '../../../../platform/audit/entry.ts';
import type { Key } from '../../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../../platform/storage/query-items.ts';
import { toRecord } from '../../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../../platform/storage/table.ts';
import { updateOf } from '../../../../platform/storage/update.ts';
import { graphKey, relationKey, usesKey } from '../keys.ts';
import type { TermProposals } from '../proposals.ts';
import type { TermRecord } from '../records.ts';
import { INVERSE } from '../relations.ts';
import type { TermRepository } from '../repository.ts';
import type { ImportPlan } from './import-plan.ts';
import type { StoredRelation } from './stored-relations.ts';

interface Deps {
  table: Table;
  terms: Pick<TermRepository, 'key' | 'importItems'>;
  proposals: Pick<TermProposals, 'importItems'>;
}

/** Every term of a workspace, by a consistent read: an index may lack the newest ones. */
export async function readTerms({ table, terms }: Pick<Deps, 'table' | 'terms'>, workspaceId: string) {
  const { pk } = terms.key(workspaceId, '');
  const items = await Array.fromAsync(itemsBelow(table, { pk, sk: '' }));
  // The partition has the total as well.
  return items.filter(({ entity }) => entity === 'term').map((item) => toRecord<TermRecord>(item));
}

/** Everything that an import writes. */
export async function importItems(deps: Deps, workspaceId: string, plan: ImportPlan): Promise<TransactItem[]> {
  const changed = plan.terms.filter(({ before, after }) => before !== after);
  const items = await deps.terms.importItems(changed);
  for (const { after, proposal } of plan.terms)
    if (proposal) items.push(...(await deps.proposals.importItems(after, proposal)));
  return [...items, ...(await relationItems(deps.table, workspaceId, plan))];
}

async function relationItems(table: Table, workspaceId: string, { terms, relations }: ImportPlan) {
  const { added, removed } = relations;
  if (added.length + removed.length === 0) return [];
  const named = new Map(terms.map(({ after }) => [after.id, after.name]));
  const uses = new Map<string, number>();
  const items: TransactItem[] = [];
  const write = async ({ id, relation, otherId }: StoredRelation, by: 1 | -1) => {
    const [term, other] = [
      { workspaceId, id },
      { workspaceId, id: otherId },
    ];
    for (const key of [relationKey(term, relation, otherId), relationKey(other, INVERSE[relation], id)])
      items.push(by === 1 ? related(table, key) : { Delete: { TableName: table.name, Key: key } });
    for (const end of [id, otherId]) uses.set(end, (uses.get(end) ?? 0) + by);
    const audit = await auditItems(table, {
      action: by === 1 ? 'term.related' : 'term.unrelated',
      object: { type: 'term', id, name: named.get(id)! },
      [by === 1 ? 'after' : 'before']: { [relation]: otherId },
    });
    items.push(...audit);
  };
  for (const relation of added) await write(relation, 1);
  for (const relation of removed) await write(relation, -1);
  for (const [id, relations] of uses)
    items.push({ Update: updateOf(table, usesKey({ workspaceId, id }), { add: { relations, changes: 1 } }) });
  // Relations that others have checked before the import are checked again.
  items.push({ Update: updateOf(table, graphKey(workspaceId), { add: { version: 1 } }) });
  return items;
}

const related = (table: Table, key: Key): TransactItem => ({
  Put: { TableName: table.name, Item: { ...key, entity: 'term-relation' } },
});

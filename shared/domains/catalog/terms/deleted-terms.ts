import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import type { CollectionOptions } from '../../../platform/storage/collection-contract.ts';
import { collectionItems } from '../../../platform/storage/collection-items.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { endOfCertification } from '../../tenancy/certifications/index.ts';
import { keptRelationsKey } from './keys.ts';
import type { NamedTerm, Relation, TermRecord } from './records.ts';

export interface KeptRelation {
  relation: Relation;
  termId: string;
}

/** A term as it was, except that it was updated last when and by whom it was deleted. */
export interface DeletedTerm extends TermRecord {
  /** Those that the term had, to terms that may no longer exist. */
  relations: readonly KeptRelation[];
}

export interface DeletedTerms extends Pick<Collection<DeletedTerm>, 'get' | 'list'> {
  /** For the transaction that deletes the term. */
  addedItems(term: DeletedTerm): TransactItem[];
  /** For the transaction that restores the term: fails if it was restored or purged in between. */
  restoredItems(term: DeletedTerm): TransactItem[];
  /** The relations that a restored term has yet to get back. */
  keptRelations(term: NamedTerm): Promise<readonly KeptRelation[]>;
  dropKeptRelations(term: NamedTerm): Promise<void>;
  /** Removes a term that can no longer be restored. Throws `STALE_WRITE` if it was restored in between. */
  purge(term: DeletedTerm): Promise<void>;
}

const OPTIONS: CollectionOptions<DeletedTerm> = { entity: 'deleted-term' };

/** Terms are deleted from their list, so that nothing that reads terms can show a deleted one. */
export function deletedTerms(table: Table): DeletedTerms {
  const { get, list, remove } = collection(table, OPTIONS);
  const { newItem, removal, count } = collectionItems(table, OPTIONS);
  return {
    get,
    list,
    addedItems: (term) => [newItem(term), count(term, 1)],
    restoredItems: (term) => [
      removal(term),
      count(term, -1),
      ...(term.relations.length === 0
        ? []
        : [{ Put: { TableName: table.name, Item: { ...keptRelationsKey(term), relations: term.relations } } }]),
    ],

    async keptRelations(term) {
      const [item] = await readItems(table, [keptRelationsKey(term)]);
      return (item?.relations as KeptRelation[] | undefined) ?? [];
    },

    async dropKeptRelations(term) {
      await table.db.send(new DeleteCommand({ TableName: table.name, Key: keptRelationsKey(term) }));
    },

    async purge(term) {
      const { workspaceId, id } = term;
      await remove(term, 'STALE_WRITE', await endOfCertification(table, { workspaceId, type: 'term', id }));
    },
  };
}

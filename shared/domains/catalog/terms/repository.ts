import { auditItems } from '../../../platform/audit/entry.ts';
import { auditedRecords } from '../../../platform/audit/records.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import type { CollectionOptions } from '../../../platform/storage/collection-contract.ts';
import { type ImportedRecord, importItems } from '../../../platform/storage/import-items.ts';
import { withReferences } from '../../../platform/storage/references.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { guardingCertification } from '../../tenancy/certifications/index.ts';
import { type DeletedTerm, deletedTerms } from './deleted-terms.ts';
import { noImport } from './imports/running-import.ts';
import type { NamedTerm, TermRecord } from './records.ts';
import { changesOfUses, withoutRelations } from './uses.ts';

export interface TermRepository
  extends Pick<Collection<TermRecord>, 'key' | 'get' | 'getMany' | 'find' | 'findMany' | 'list' | 'readAll'> {
  /** Throws `TERM_NAME_TAKEN` and, as all changes, `TERM_IMPORT_RUNNING`. */
  create(term: TermRecord): Promise<TermRecord>;
  /** Throws `TERM_NAME_TAKEN` and `STALE_WRITE`. */
  replace(previous: TermRecord, next: TermRecord, also?: TransactItem[]): Promise<TermRecord>;
  /** Items for the transactions of an import. */
  importItems(changes: readonly ImportedRecord<TermRecord>[]): Promise<TransactItem[]>;
  /** How often relations and links of the term were added or removed so far. */
  changesOfUses(term: NamedTerm): Promise<number>;
  /**
   * Deletes the term, which can be restored until its clean-up. Links and proposals stay until then. Throws
   * `STALE_WRITE`, also if the term has a relation, and unless the given number is null, if relations or links have
   * changed since.
   */
  remove(
    term: TermRecord,
    deleted: DeletedTerm,
    changesOfUses: number | null,
    also: readonly TransactItem[],
  ): Promise<void>;
  /** Throws `TERM_NAME_TAKEN`, and `STALE_WRITE` if the term was restored or purged in between. */
  restore(deleted: DeletedTerm, term: TermRecord): Promise<TermRecord>;
}

export function termRepository(table: Table): TermRepository {
  const audited = auditedRecords<TermRecord>(table, {
    subject: 'term',
    name: ({ name }) => name,
    members: {
      name: 'shown',
      definition: 'shown',
      abbreviation: 'shown',
      synonyms: 'shown',
      hiddenSynonyms: 'shown',
      examples: 'shown',
      tags: 'shown',
      exactMatch: 'shown',
      ownerIds: 'shown',
      reviewerIds: 'shown',
      status: 'shown',
    },
  });
  const guarded = guardingCertification<TermRecord>(
    table,
    { type: 'term', meaning: ({ definition }) => definition },
    audited,
  );
  const options: CollectionOptions<TermRecord> = {
    entity: 'term',
    versioned: true,
    unique: { of: ({ name }) => name, taken: 'TERM_NAME_TAKEN' },
    // The certification of a deleted term stays as long as the term can be restored.
    logs: (before, after) => (after ? guarded(before, after) : audited(before, after)),
  };
  const terms = collection<TermRecord>(table, options);
  const restored = collection<TermRecord>(table, {
    ...options,
    logs: (_, term) =>
      auditItems(table, { action: 'term.restored', object: { type: 'term', id: term!.id, name: term!.name } }),
  });
  const deletedOnes = deletedTerms(table);
  /** Unless terms are being imported, with further items of the transaction. */
  const write = <T>(workspaceId: string, also: TransactItem[], send: (items: TransactItem[]) => Promise<T>) =>
    withReferences([noImport(table, workspaceId), ...also], send, (cause, failed) =>
      failed.includes(0) ? new AppError('TERM_IMPORT_RUNNING', { cause }) : new AppError('STALE_WRITE', { cause }),
    );

  return {
    key: terms.key,
    get: terms.get,
    getMany: terms.getMany,
    find: terms.find,
    findMany: terms.findMany,
    list: terms.list,
    readAll: terms.readAll,
    create: (term) => write(term.workspaceId, [], (items) => terms.create(term, items)),
    replace: (previous, next, also = []) =>
      write(next.workspaceId, also, (items) => terms.replace(previous, next, 'STALE_WRITE', items)),
    importItems: (changes) => importItems(table, options, changes),
    changesOfUses: (term) => changesOfUses(table, term),
    remove: (term, deleted, changes, also) =>
      write(
        term.workspaceId,
        [...also, ...deletedOnes.addedItems(deleted), withoutRelations(table, term, changes)],
        (items) => terms.remove(term, 'STALE_WRITE', items),
      ),
    restore: (deleted, term) =>
      write(term.workspaceId, deletedOnes.restoredItems(deleted), (items) => restored.create(term, items)),
  };
}

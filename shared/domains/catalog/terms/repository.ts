import { auditedRecords } from '../../../platform/audit/records.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import type { CollectionOptions } from '../../../platform/storage/collection-contract.ts';
import { type ImportedRecord, importItems } from '../../../platform/storage/import-items.ts';
import { withReferences } from '../../../platform/storage/references.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { guardingCertification } from '../../tenancy/certifications/index.ts';
import { noImport } from './imports/running-import.ts';
import type { NamedTerm, TermRecord } from './records.ts';
import { changesOfUses, withoutUses } from './uses.ts';

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
   * Links end with the term, in its clean-up. Throws `STALE_WRITE`, also if the term has a relation, and unless the
   * given number is null, if relations or links have changed since.
   */
  remove(term: TermRecord, changesOfUses: number | null, also: TransactItem[]): Promise<void>;
}

export function termRepository(table: Table): TermRepository {
  const options: CollectionOptions<TermRecord> = {
    entity: 'term',
    versioned: true,
    unique: { of: ({ name }) => name, taken: 'TERM_NAME_TAKEN' },
    logs: guardingCertification<TermRecord>(
      table,
      { type: 'term', meaning: ({ definition }) => definition },
      auditedRecords<TermRecord>(table, {
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
      }),
    ),
  };
  const terms = collection<TermRecord>(table, options);
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
    remove: (term, changes, also) =>
      write(term.workspaceId, [...also, withoutUses(table, term, changes)], (items) =>
        terms.remove(term, 'STALE_WRITE', items),
      ),
  };
}

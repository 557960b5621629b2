import { auditedRecords } from '../../../platform/audit/records.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import { withReferences } from '../../../platform/storage/references.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { guardingCertification } from '../../tenancy/certifications/index.ts';
import type { NamedTerm, TermRecord } from './records.ts';
import { changesOfUses, withoutUses } from './uses.ts';

export interface TermRepository
  extends Pick<Collection<TermRecord>, 'key' | 'get' | 'getMany' | 'find' | 'list' | 'readAll'> {
  /** Throws `TERM_NAME_TAKEN`. */
  create(term: TermRecord): Promise<TermRecord>;
  /** Throws `TERM_NAME_TAKEN` and `STALE_WRITE`. */
  replace(previous: TermRecord, next: TermRecord, also?: TransactItem[]): Promise<TermRecord>;
  /** How often relations and links of the term were added or removed so far. */
  changesOfUses(term: NamedTerm): Promise<number>;
  /**
   * Links end with the term, in its clean-up. Throws `STALE_WRITE`, also if the term has a relation, and unless the
   * given number is null, if relations or links have changed since.
   */
  remove(term: TermRecord, changesOfUses: number | null, also: TransactItem[]): Promise<void>;
}

export function termRepository(table: Table): TermRepository {
  const terms = collection<TermRecord>(table, {
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
  });
  return {
    key: terms.key,
    get: terms.get,
    getMany: terms.getMany,
    find: terms.find,
    list: terms.list,
    readAll: terms.readAll,
    create: (term) => terms.create(term),
    replace: (previous, next, also = []) =>
      withReferences(
        also,
        (items) => terms.replace(previous, next, 'STALE_WRITE', items),
        (cause) => new AppError('STALE_WRITE', { cause }),
      ),
    changesOfUses: (term) => changesOfUses(table, term),
    remove: (term, changes, also) =>
      withReferences(
        [...also, withoutUses(table, term, changes)],
        (items) => terms.remove(term, 'STALE_WRITE', items),
        (cause) => new AppError('STALE_WRITE', { cause }),
      ),
  };
}

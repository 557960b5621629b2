import type { ErrorCode } from '../errors/catalogue.ts';
import type { Key } from './keys.ts';
import type { ListRequest } from './list-request.ts';
import type { PageOf } from './page.ts';
import type { StoredRecord } from './stored-record.ts';
import type { TransactItem } from './table.ts';

export interface CollectionOptions<T> {
  /** The name of the collection in keys, such as `webhook`. */
  entity: string;
  /** A list within the workspace, such as the runs of one pipeline; the whole workspace when absent. */
  parent?: (record: T) => string;
  /** A value that is unique within the workspace, and the error code for a duplicate. */
  unique?: { of: (record: T) => string; taken: ErrorCode };
  /**
   * The key of a record that has a partition of its own, such as a run with its steps; a key in the collection's
   * partition when absent.
   */
  key?: (workspaceId: string, id: string) => Key;
  /** Counts the changes of each record in `revision`, so that clients can refer to the state that they have read. */
  versioned?: true;
  /** A list without end, such as the runs of a pipeline: filters look at its newest `MAX_SELECTED` records. */
  isHistory?: true;
  /** Further attributes for the item, such as `due` and `dueAt`. */
  attributes?: (record: T) => Record<string, unknown>;
  /** Further items for the transaction that creates (no `before`), replaces or removes (no `after`) a record. */
  logs?: (before: T | undefined, after: T | undefined) => Promise<TransactItem[]>;
}

export interface Collection<T extends StoredRecord> {
  key(workspaceId: string, id: string): Key;
  get(workspaceId: string, id: string): Promise<T | undefined>;
  getMany(workspaceId: string, ids: readonly string[]): Promise<T[]>;
  /** The record with the unique value, ignoring case as uniqueness does. */
  find(workspaceId: string, unique: string): Promise<T | undefined>;
  /**
   * The records with any of the values, in no particular order; a hundred values cost one additional read. Owners of
   * values are cached: a cached record that still has the value owns it, so reading the record suffices.
   */
  findMany(workspaceId: string, uniques: readonly string[]): Promise<T[]>;
  /**
   * For misspelled unique values the records whose values are most like them, of the first 5,000; those without a close
   * one are left out. It reads all of these values, once.
   */
  findNear(workspaceId: string, misspelled: readonly string[]): Promise<Map<string, T>>;
  /** All records, newest first. Throws `LIST_TOO_LARGE` like `list`. */
  readAll(workspaceId: string, parent?: string): Promise<T[]>;
  /**
   * Newest first, or as requested. In order of creation it reads the keys of `offset + limit` records and the bodies of
   * `limit`. By a unique name it reads one record. Other filters and orders read all records, and throw
   * `LIST_TOO_LARGE` if there are more than `MAX_SELECTED` or `MAX_SELECTED_BYTES`, or in a history read the newest of
   * them. A page that would be too large ends earlier and has a lower `limit`.
   */
  list(workspaceId: string, request: ListRequest<T>, parent?: string): Promise<PageOf<T>>;
  /**
   * Newest first, continuing after the end of the previous page. Records created since then sort before that place, so
   * no page repeats or misses a record. `last` is the place where this page ends; undefined at the end of the list.
   */
  listAfter(
    workspaceId: string,
    page: { limit: number; after?: string | undefined },
    parent?: string,
  ): Promise<{ items: T[]; total: number; last: string | undefined }>;
  /**
   * Stores a new record. A repeated call with the same id returns the stored record, so that a request that crashed
   * after its write can be retried. Throws the `taken` code if another record has the unique value.
   */
  create(record: T, also?: TransactItem[]): Promise<T>;
  /** Items for a transaction that stores new records of one list, at most 99: first each record, then the total. */
  createItems(records: readonly T[]): TransactItem[];
  /** Items for a transaction that removes records of one list; `isAll` means that the list becomes empty. */
  removeItems(workspaceId: string, ids: readonly string[], parent?: string, options?: { isAll?: true }): TransactItem[];
  /**
   * Replaces the record if it has not changed since it was read, and returns it as stored, with its new revision.
   * Throws `stale` otherwise, and `PRECONDITION_FAILED` if the client expects another revision (`If-Match`).
   * `updatedAt` must increase.
   */
  replace(previous: T, next: T, stale: ErrorCode, also?: TransactItem[]): Promise<T>;
  /**
   * Items for the transaction of another write that also replaces this record: it fails if the record has changed, or
   * if another one has its unique value.
   */
  replaceItems(previous: T, next: T): Promise<TransactItem[]>;
  /** Removes the record if it has not changed since it was read; throws the same errors as `replace`. */
  remove(record: T, stale: ErrorCode, also?: TransactItem[]): Promise<void>;
}

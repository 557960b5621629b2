import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from '../errors/app-error.ts';

/** The revisions of the requested record that a client accepts (`If-Match`). */
export interface Expectation {
  /** Undefined if the path contains no id: the request then concerns a single record. */
  id: string | undefined;
  revisions: ReadonlySet<number> | 'any';
}

/**
 * The expectation lasts as long as the request. It is checked where the record is replaced or removed, in the condition
 * of the write: a check before the use case would miss concurrent changes, and an argument through every use case could
 * be forgotten.
 */
const expectations = new AsyncLocalStorage<Expectation>();

export function expecting<T>(expectation: Expectation, work: () => Promise<T>): Promise<T> {
  return expectations.run(expectation, work);
}

/** Throws `PRECONDITION_FAILED` if the client expects another revision than the one that was read. */
export function assertExpected(id: string, revision: number | undefined): void {
  const revisions = expectedRevisions(id);
  if (revisions && !revisions.has(revision ?? 0)) throw new AppError('PRECONDITION_FAILED');
}

/**
 * For a document that several records make up, whose revision is not that of one of them: `check` compares the revision
 * of the document, and the records are written without an expectation.
 */
export function expectingDocument<T>(id: string, work: (check: (revision: number) => void) => Promise<T>): Promise<T> {
  const revisions = expectedRevisions(id);
  const check = (revision: number) => {
    if (revisions && !revisions.has(revision)) throw new AppError('PRECONDITION_FAILED');
  };
  return expectations.run({ id: '', revisions: 'any' }, () => work(check));
}

/** Throws `PRECONDITION_FAILED` if the client expects an existing record: a missing one must not be created then. */
export function assertNothingExpected(id: string): void {
  if (expectationOf(id)) throw new AppError('PRECONDITION_FAILED');
}

/**
 * The code for a record that has changed between read and write; `PRECONDITION_FAILED` if the client requested the
 * check.
 */
export function staleCode<C>(id: string, stale: C): C | 'PRECONDITION_FAILED' {
  return expectedRevisions(id) ? 'PRECONDITION_FAILED' : stale;
}

function expectedRevisions(id: string): ReadonlySet<number> | undefined {
  const revisions = expectationOf(id)?.revisions;
  return revisions === 'any' ? undefined : revisions;
}

function expectationOf(id: string): Expectation | undefined {
  const expectation = expectations.getStore();
  return expectation?.id === undefined || expectation.id === id ? expectation : undefined;
}

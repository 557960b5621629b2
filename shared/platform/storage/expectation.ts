import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from '../errors/app-error.ts';

/** The revisions that a client is ready to change (`If-Match`), of the record that its request names. */
export interface Expectation {
  /** Undefined when the path names none: there is only one record to change then. */
  id: string | undefined;
  revisions: ReadonlySet<number> | 'any';
}

/**
 * The expectation holds for as long as the request runs. It is compared where the record is replaced or removed, in the
 * write's own condition: a check before the use case would miss what happens between the check and the write, and one
 * handed through every use case could be forgotten.
 */
const expectations = new AsyncLocalStorage<Expectation>();

export function expecting<T>(expectation: Expectation, work: () => Promise<T>): Promise<T> {
  return expectations.run(expectation, work);
}

/** Throws `PRECONDITION_FAILED` when the client expects another revision of the record than the one that was read. */
export function assertExpected(id: string, revision: number | undefined): void {
  const revisions = expectedRevisions(id);
  if (revisions && !revisions.has(revision ?? 0)) throw new AppError('PRECONDITION_FAILED');
}

/** Throws `PRECONDITION_FAILED` when the client expects that there is such a record, which there is not: nothing may be created then. */
export function assertNothingExpected(id: string): void {
  if (expectationOf(id)) throw new AppError('PRECONDITION_FAILED');
}

/** The code for a record that was changed between reading and writing it: the client may have asked for just that check. */
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

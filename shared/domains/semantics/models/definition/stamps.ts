import { assertExpected } from '../../../../platform/storage/expectation.ts';
import { later } from '../../../../platform/storage/ids.ts';

/** Who edits a model, and when. */
export interface Act {
  by: string;
  at: Date;
}

interface Stamps {
  createdBy: string;
  updatedBy: string;
  createdAt: string;
  updatedAt: string;
  revision: number;
}

export function newStamps({ by, at }: Act): Stamps {
  const time = at.toISOString();
  return { createdBy: by, updatedBy: by, createdAt: time, updatedAt: time, revision: 1 };
}

/** The part with the changes. Throws `PRECONDITION_FAILED` if the client expects another revision of it. */
export function changed<T extends Stamps & { id: string }>(part: T, change: Partial<T>, { by, at }: Act): T {
  assertExpected(part.id, part.revision);
  return touched({ ...part, ...change }, { by, at });
}

/** A part that changes along with another one. */
export function touched<T extends Stamps>(part: T, { by, at }: Act): T {
  return { ...part, updatedBy: by, updatedAt: later(part.updatedAt, at), revision: part.revision + 1 };
}

/** Throws `PRECONDITION_FAILED` if the client expects another revision of the part that it removes. */
export const assertRemovable = ({ id, revision }: { id: string; revision: number }): void =>
  assertExpected(id, revision);

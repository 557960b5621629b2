import type { Principal } from '../../../platform/auth/principal.ts';
import type { Table } from '../../../platform/storage/table.ts';
import type { Subject, SubjectKind, SubjectPart } from '../../tenancy/subjects/index.ts';
import { partOf } from './contexts.ts';
import type { StoredThread } from './records.ts';

/** The parts of a subject that a reader sees, and those that are hidden, by type and id. */
export type Parts = ReadonlyMap<string, SubjectPart>;

export const partName = ({ type, id }: { type: string; id: string }): string => `${type}#${id}`;

export async function partsOf(table: Table, kind: SubjectKind, reader: Principal, id: string): Promise<Parts> {
  const parts = (await kind.parts?.(table, reader, id)) ?? [];
  return new Map(parts.map((part) => [partName(part), part]));
}

/**
 * Whether the reader of the subject sees the thread. One on a part that is hidden from the reader is not seen, because
 * comments and quotes say what the part says. One on a part that is not published, or does not exist any more, is seen
 * by those who may change the object, and by the person who began it.
 */
export function isVisible(
  { context, authorId }: Pick<StoredThread, 'context' | 'authorId'>,
  { subject, parts, readerId }: { subject: Pick<Subject, 'mayEdit'>; parts: Parts; readerId: string },
): boolean {
  const part = partOf(context);
  const known = part && parts.get(partName(part));
  if (known) return !known.isHidden;
  return !part || subject.mayEdit || authorId === readerId;
}

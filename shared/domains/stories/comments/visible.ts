import type { Quote } from '../../../data/rich-text/index.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import type { Table } from '../../../platform/storage/table.ts';
import type { Subject, SubjectKind, SubjectPart } from '../../tenancy/subjects/index.ts';
import { isTextContext, partOf } from './contexts.ts';
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
 * by those who may change the object, and by the person who began it. One about words that the reader's text does not
 * have is seen by its author.
 */
export function isVisible(
  thread: Pick<StoredThread, 'context' | 'authorId' | 'words'>,
  { subject, parts, readerId }: { subject: Pick<Subject, 'mayEdit'>; parts: Parts; readerId: string },
): boolean {
  const { context, authorId } = thread;
  const part = partOf(context);
  const section =
    context.kind === 'block' && context.sectionId ? { type: 'section', id: context.sectionId } : undefined;
  if (section && parts.get(partName(section))?.isHidden) return false;
  const known = part && parts.get(partName(part));
  if (known?.quoteIn && isTextContext(context)) return authorId === readerId || quoteFor(thread, known) !== undefined;
  if (known) return !known.isHidden;
  return !part || subject.mayEdit || authorId === readerId;
}

/**
 * Whether the reader sees their own comments of a thread that is hidden from them otherwise: they began it about words
 * of a text that they see, and the words have moved to one that they do not see, so that others may quote that one.
 */
export function seesOwnComments(
  { context, authorId, words }: Pick<StoredThread, 'context' | 'authorId' | 'words'>,
  { parts, readerId }: { parts: Parts; readerId: string },
): boolean {
  if (authorId !== readerId || !words || !isTextContext(context)) return false;
  const isHidden = (id: string) => parts.get(partName({ type: 'section', id }))?.isHidden === true;
  return isHidden(context.sectionId) && !isHidden(words.written.sectionId);
}

/** The words of a thread in the text that the reader sees: those that are followed, or those that were written. */
export function quoteFor(
  { words }: Pick<StoredThread, 'words'>,
  { id, quoteIn }: SubjectPart,
): { blockId: string; quote: Quote } | undefined {
  for (const { sectionId, blockId, quote } of words ? [words.place, words.written] : []) {
    const found = sectionId === id ? quoteIn?.(blockId, quote) : undefined;
    if (found) return { blockId, quote: found };
  }
  return undefined;
}

import { createHash } from 'node:crypto';
import type { SearchDocument } from '../search/index.ts';

/** Longer descriptions say little more, and models read only so much. */
const MAX_CHARACTERS = 2_000;
/** Half a SHA-256: two texts never have the same by chance. */
export const HASH_BYTES = 16;

/** What the AI provider receives of a document: names and descriptions, which the index has too. */
export function textOf({ name, aliases, context, description, tags }: SearchDocument): string {
  const lines = [name, aliases.join(', '), context, description, tags.join(', ')];
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
    .slice(0, MAX_CHARACTERS)
    .toWellFormed();
}

export const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest().subarray(0, HASH_BYTES).toString('hex');

const known = new WeakMap<SearchDocument, string>();

/** The hash of a document's text, computed once for each document that an index keeps. */
export function textHashOf(document: SearchDocument): string {
  const hash = known.get(document) ?? hashOf(textOf(document));
  known.set(document, hash);
  return hash;
}

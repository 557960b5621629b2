import { AppError } from '../errors/app-error.ts';
import type { Expectation } from '../storage/expectation.ts';

/** The entity tag of a record is its revision: `"7"`. */
export function entityTag(record: unknown): string {
  const revision = (record as { revision?: unknown }).revision;
  if (!Number.isInteger(revision)) throw new Error('the reply of a versioned route has no revision');
  return `"${revision}"`;
}

const ENTITY_TAGS = /^\s*(W\/)?"[\x21\x23-\x7e\x80-\xff]*"\s*(,\s*(W\/)?"[\x21\x23-\x7e\x80-\xff]*"\s*)*$/;

/**
 * Parses an `If-Match` header (RFC 9110, 13.1.1). Weak tags and tags that are not revisions match nothing. Throws
 * `VALIDATION_FAILED` for a header that is neither `*` nor a list of entity tags.
 */
export function readIfMatch(header: string): Expectation['revisions'] {
  if (header.trim() === '*') return 'any';
  if (!ENTITY_TAGS.test(header)) throw badIfMatch('must be `*` or entity tags such as "7"');
  const tags = header.match(/(W\/)?"[^"]*"/g) ?? [];
  return new Set(tags.flatMap((tag) => (/^"[1-9][0-9]{0,14}"$/.test(tag) ? Number(tag.slice(1, -1)) : [])));
}

/** Whether an `If-None-Match` header contains the tag (RFC 9110, 13.1.2); weak tags compare like strong ones. */
export function matchesTag(tag: string, header: string | undefined): boolean {
  if (header === undefined) return false;
  const tags: string[] = header.match(/"[^"]*"/g) ?? [];
  return header.trim() === '*' || tags.includes(tag);
}

export function badIfMatch(message: string): AppError {
  return new AppError('VALIDATION_FAILED', {
    errors: [{ pointer: '/headers/if-match', code: 'INVALID_HEADER', message }],
  });
}

import type { Static, TSchema } from 'typebox';
import { Settings } from 'typebox/system';
import { Check, Errors } from 'typebox/value';
import type { Issue } from '../errors/app-error.ts';
import { issueMessage } from './issue-messages.ts';
import { escapePointer } from './json-pointer.ts';
import { schemaIssues } from './schema-issues.ts';

// The default limit is eight errors, but a definition reports every issue.
Settings.Set({ maxErrors: 1000 });

/** Whether a value matches a schema, without compiling it: for parts of a definition that depend on the step's type. */
export function hasShape<S extends TSchema>(schema: S, value: unknown): value is Static<S> {
  return Check(schema, value);
}

/**
 * Every issue of a value against a schema, each with its place under `base`, with the messages of the request
 * validation.
 */
export function shapeIssues(schema: TSchema, value: unknown, base: string): Issue[] {
  const { value: short, place } = withoutRepeats(value, '');
  const issues = schemaIssues(Errors(schema, short), schema, short, base);
  if (issues.length > 0 || place === undefined || hasShape(schema, value)) return issues;
  return [{ pointer: base + place, ...issueMessage('uniqueItems', {}) }];
}

/** More items than this are not repeated by mistake. */
const MAX_REPEATS = 100;

interface Shortened {
  value: unknown;
  /** The first list that is cut. */
  place?: string;
}

/**
 * The value with each list cut after many repeated items: TypeBox copies all that it has found for each further one, so
 * a list of a megabyte would take minutes.
 */
function withoutRepeats(value: unknown, at: string): Shortened {
  if (typeof value !== 'object' || value === null) return { value };
  let place: string | undefined;
  const shortened = (name: string, member: unknown) => {
    const found = withoutRepeats(member, `${at}/${escapePointer(name)}`);
    place ??= found.place;
    return found.value;
  };
  if (!Array.isArray(value)) {
    const members = Object.entries(value).map(([name, member]) => [name, shortened(name, member)]);
    return place === undefined ? { value } : { value: Object.fromEntries(members), place };
  }
  const end = endOfRepeats(value);
  const items = value.slice(0, end).map((item, index) => shortened(String(index), item));
  if (end < value.length) place = at;
  return place === undefined ? { value } : { value: items, place };
}

/** Where a list is cut; its length if it has few repeated items. */
function endOfRepeats(list: readonly unknown[]): number {
  if (list.length <= MAX_REPEATS) return list.length;
  const seen = new Set<unknown>();
  let repeats = 0;
  for (const [index, item] of list.entries()) {
    const key = typeof item === 'object' ? JSON.stringify(item) : item;
    if (seen.has(key)) repeats += 1;
    if (repeats > MAX_REPEATS) return index;
    seen.add(key);
  }
  return list.length;
}

import { escapePointer } from '../validation/json-pointer.ts';

/** The maximum nesting of a body: far deeper than any definition needs, shallow enough for recursive code. */
export const MAX_NESTING = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Whether JSON text is nested too deeply; checked before anything walks it recursively. */
export function exceedsNesting(text: string): boolean {
  let depth = 0;
  let isText = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isText && code === BACKSLASH) index += 1;
    else if (code === QUOTE) isText = !isText;
    else if (isText) continue;
    else if (CLOSING.has(code)) depth -= 1;
    else if (OPENING.has(code)) {
      depth += 1;
      if (depth > MAX_NESTING) return true;
    }
  }
  return false;
}

/** The maximum nesting of JSON of any shape that is stored as part of an item; DynamoDB's own limit is 32. */
export const MAX_STORED_NESTING = 24;

/** The first place that is nested too deeply. */
export function nestedPlace(value: object, max = MAX_NESTING): string | undefined {
  return findMember(value, (_name, member, depth) => depth >= max && isContainer(member))?.pointer;
}

/** Texts that may contain the names, literally or escaped. */
const SUSPICIOUS = /__proto__|constructor|\\u00/;

/** The first member through which a careless merge could modify a prototype. */
export function prototypePlace(text: string, value: unknown): Found | undefined {
  if (!SUSPICIOUS.test(text) || !isContainer(value)) return undefined;
  return findMember(
    value,
    (name, member) =>
      name === '__proto__' || (name === 'constructor' && isContainer(member) && Object.hasOwn(member, 'prototype')),
  );
}

/** A surrogate that is spelt out: the other half of the character may be missing. */
const SURROGATE = /\\u[dD][89a-fA-F]/;

/**
 * The first place of a text, parsed from `text`, that is not valid Unicode: the table and databases take none of them.
 */
export function malformedPlace(text: string, value: unknown): string | undefined {
  return SURROGATE.test(text) ? malformedIn(value) : undefined;
}

function malformedIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : '';
  if (Array.isArray(value)) return malformedItem(value);
  if (!isContainer(value)) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const inner = name.isWellFormed() ? malformedIn(member) : '';
    if (inner !== undefined) return `/${escapePointer(name.toWellFormed())}${inner}`;
  }
  return undefined;
}

function malformedItem(list: readonly unknown[]): string | undefined {
  for (let index = 0; index < list.length; index += 1) {
    const inner = malformedIn(list[index]);
    if (inner !== undefined) return `/${index}${inner}`;
  }
  return undefined;
}

interface Found {
  pointer: string;
  name: string;
}

type Test = (name: string, member: unknown, depth: number) => boolean;

/** Stops one level below the limit, where the nesting check reports the issue. */
function findMember(value: object, test: Test, depth = 1): Found | undefined {
  return Array.isArray(value) ? placeInList(value, test, depth) : placeInObject(value, test, depth);
}

/** In a list only containers are checked: it has no names, and may have half a million numbers. */
function placeInList(list: readonly unknown[], test: Test, depth: number): Found | undefined {
  for (let index = 0; index < list.length; index += 1) {
    const item = list[index];
    const found = isContainer(item) && placeAt(String(index), item, test, depth);
    if (found) return found;
  }
  return undefined;
}

function placeInObject(value: object, test: Test, depth: number): Found | undefined {
  for (const name of Object.keys(value)) {
    const found = placeAt(name, (value as Record<string, unknown>)[name], test, depth);
    if (found) return found;
  }
  return undefined;
}

function placeAt(name: string, member: unknown, test: Test, depth: number): Found | undefined {
  if (test(name, member, depth)) return { pointer: `/${escapePointer(name)}`, name };
  const inner = isContainer(member) ? findMember(member, test, depth + 1) : undefined;
  return inner && { ...inner, pointer: `/${escapePointer(name)}${inner.pointer}` };
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

import { DataError } from '../../../platform/errors/data-error.ts';

/** The start and the end of a value in a JSON text. */
export interface JsonPlace {
  start: number;
  end: number;
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];
const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Finds the value at a JSON pointer, or the whole text without one; undefined if the pointer leads nowhere. Only names
 * are parsed.
 */
export function placeAt(text: string, pointer: string | undefined): JsonPlace | undefined {
  const start = skipSpace(text, 0);
  const end = endOf(text, start);
  if (skipSpace(text, end) < text.length) throw malformed(end);
  let place: JsonPlace | undefined = { start, end };
  for (const step of pointer?.split('/').slice(1) ?? []) {
    if (!place) return undefined;
    place = childOf(text, place, step.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return place;
}

function childOf(text: string, { start }: JsonPlace, name: string): JsonPlace | undefined {
  const opening = text.charCodeAt(start);
  if (opening === OPEN_LIST && /^(0|[1-9]\d{0,8})$/.test(name)) {
    let index = Number(name);
    for (const element of elementsOf(text, start)) {
      if (index === 0) return element;
      index -= 1;
    }
    return undefined;
  }
  if (opening !== OPEN_OBJECT) return undefined;
  let last: JsonPlace | undefined;
  // The last of several members with the same name counts, as in JavaScript.
  for (const { key, ...value } of membersOf(text, start)) if (key === name) last = value;
  return last;
}

/** The elements of the list that begins at `list`. */
export function* elementsOf(text: string, list: number): Generator<JsonPlace> {
  let at = skipSpace(text, list + 1);
  if (text.charCodeAt(at) === CLOSE_LIST) return;
  for (;;) {
    const end = endOf(text, at);
    yield { start: at, end };
    at = skipSpace(text, end);
    if (text.charCodeAt(at) === CLOSE_LIST) return;
    at = skipSpace(text, skip(text, at, ','));
  }
}

function* membersOf(text: string, object: number): Generator<JsonPlace & { key: string }> {
  let at = skipSpace(text, object + 1);
  if (text.charCodeAt(at) === CLOSE_OBJECT) return;
  for (;;) {
    if (text.charCodeAt(at) !== QUOTE) throw malformed(at);
    const named = endOf(text, at);
    const start = skipSpace(text, skip(text, skipSpace(text, named), ':'));
    const end = endOf(text, start);
    yield { key: keyOf(text.slice(at, named), at), start, end };
    at = skipSpace(text, end);
    if (text.charCodeAt(at) === CLOSE_OBJECT) return;
    at = skipSpace(text, skip(text, at, ','));
  }
}

function keyOf(quoted: string, at: number): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return JSON.parse(quoted);
  } catch {
    throw malformed(at);
  }
}

/** The end of the value that begins at `start`, found by brackets and quotes only. */
function endOf(text: string, start: number): number {
  const opening = text.charCodeAt(start);
  if (opening === QUOTE) return endOfText(text, start);
  if (opening !== OPEN_LIST && opening !== OPEN_OBJECT) return endOfWord(text, start);
  let depth = 0;
  for (let at = start; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfText(text, at);
      continue;
    }
    at += 1;
    if (code === OPEN_LIST || code === OPEN_OBJECT) depth += 1;
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1;
    if (depth === 0) return at;
  }
  throw malformed(text.length);
}

function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text.charCodeAt(before - 1) === BACKSLASH) before -= 1;
    if ((at - before) % 2 === 0) return at + 1;
  }
  throw malformed(text.length);
}

/** The end of a number, `true`, `false` or `null`. */
function endOfWord(text: string, start: number): number {
  const word = /[\w.+-]+/y;
  word.lastIndex = start;
  if (!word.test(text)) throw malformed(start);
  return word.lastIndex;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (SPACES.has(text.charCodeAt(at))) at += 1;
  return at;
}

function skip(text: string, at: number, sign: string): number {
  if (text[at] !== sign) throw malformed(at);
  return at + 1;
}

const malformed = (at: number) =>
  new DataError('FILE_UNREADABLE', `The answer is not valid JSON: unexpected or missing text at character ${at + 1}.`);

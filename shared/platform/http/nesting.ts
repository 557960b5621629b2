import { escapePointer } from '../validation/json-pointer.ts';

/** Levels of lists and objects in a body, far more than any definition needs and few enough for whatever walks it. */
export const MAX_NESTING = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Whether JSON text is nested deeper than allowed, found out before anything walks it recursively. */
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

/** The first place of a value that is nested too deep. */
export function nestedPointer(value: unknown): string | undefined {
  return pointerTo(value, (_name, member, depth) => depth >= MAX_NESTING && isContainer(member));
}

/** The first place in a value of a member with the name. The value is nested no deeper than allowed. */
export function memberPointer(value: unknown, wanted: string): string | undefined {
  return pointerTo(value, (name) => name === wanted);
}

type Test = (name: string, member: unknown, depth: number) => boolean;

function pointerTo(value: unknown, test: Test, depth = 1): string | undefined {
  if (!isContainer(value)) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const segment = `/${escapePointer(name)}`;
    if (test(name, member, depth)) return segment;
    const inner = pointerTo(member, test, depth + 1);
    if (inner !== undefined) return segment + inner;
  }
  return undefined;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

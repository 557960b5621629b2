/**
 * Regular expressions. DuckDB's RE2 and Trino's Joni read most of them alike. Other parts are either rewritten so that
 * both read them alike, or rejected.
 */
const CLASSES: Record<string, string> = {
  d: '0-9',
  w: '0-9A-Za-z_',
  s: '\\t\\n\\f\\r ',
};
const NEGATED: Record<string, string> = { D: CLASSES.d!, W: CLASSES.w!, S: CLASSES.s! };
const SAME_ESCAPES = /[tnrf.*+?()[\]{}|^$\\/"'\-#&~!@%:;,<>= _`]/;

/**
 * A part of a pattern, written so that both engines read it alike, and how many characters of the pattern it replaces.
 */
interface SharedPart {
  text: string;
  length: number;
}

/** The pattern as both engines read it; undefined if it uses a feature that they do not share. */
export function sharedPattern(pattern: string): string | undefined {
  let shared = '';
  let inClass = false;
  for (let at = 0; at < pattern.length; ) {
    const part = partAt(pattern, at, inClass);
    if (part === undefined) return undefined;
    if (pattern[at] === '[') inClass = true;
    if (pattern[at] === ']') inClass = false;
    shared += part.text;
    at += part.length;
  }
  return inClass ? undefined : shared;
}

function partAt(pattern: string, at: number, inClass: boolean): SharedPart | undefined {
  if (pattern[at] === '\\') {
    const text = escaped(pattern[at + 1] ?? '', inClass);
    return text === undefined ? undefined : { text, length: 2 };
  }
  return inClass ? partInClass(pattern, at) : partOutsideClass(pattern, at);
}

function partInClass(pattern: string, at: number): SharedPart | undefined {
  const sign = pattern[at]!;
  // Joni reads a bracket or a double ampersand within a class as a nested class.
  if (sign === '[' && /[:.=]/.test(pattern[at + 1] ?? '')) return undefined;
  return { text: sign === '[' || sign === '&' ? `\\${sign}` : sign, length: 1 };
}

function partOutsideClass(pattern: string, at: number): SharedPart | undefined {
  const sign = pattern[at]!;
  const next = pattern[at + 1] ?? '';
  if (sign === '[') return classStart(pattern, at);
  if (sign === '(' && next === '?') return pattern[at + 2] === ':' ? { text: '(?:', length: 3 } : undefined;
  if (sign === '^') return { text: '\\A', length: 1 };
  // Joni's `$` also matches before a final line end.
  if (sign === '$') return { text: '\\z', length: 1 };
  const isPossessive = /[*+?}]/.test(sign) && next === '+';
  return isPossessive ? undefined : { text: sign, length: 1 };
}

/** The bracket that opens a class, a `^` that negates it, and a `]` that is its first member. */
function classStart(pattern: string, at: number): SharedPart {
  const negation = pattern[at + 1] === '^' ? '^' : '';
  const isMember = pattern[at + 1 + negation.length] === ']';
  return { text: `[${negation}${isMember ? '\\]' : ''}`, length: 1 + negation.length + (isMember ? 1 : 0) };
}

function escaped(sign: string, inClass: boolean): string | undefined {
  if (CLASSES[sign]) return inClass ? CLASSES[sign] : `[${CLASSES[sign]}]`;
  if (NEGATED[sign]) return inClass ? undefined : `[^${NEGATED[sign]}]`;
  return sign !== '' && SAME_ESCAPES.test(sign) ? `\\${sign}` : undefined;
}

/** Translates a replacement: groups are `\1` in DuckDB and `$1` in Trino. Undefined if it has no counterpart. */
export function sharedReplacement(text: string): string | undefined {
  let made = '';
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]!;
    if (sign === '$') made += '\\$';
    else if (sign !== '\\') made += sign;
    else {
      at += 1;
      const next = text[at] ?? '';
      if (next === '\\') made += '\\\\';
      else if (!/\d/.test(next) || /\d/.test(text[at + 1] ?? '')) return undefined;
      else made += `$${next}`;
    }
  }
  return made;
}

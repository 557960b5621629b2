/**
 * Regular expressions. DuckDB's RE2 and Trino's Joni read most of them alike; what they read differently is either said in
 * words that both take for the same, or refused.
 */
const CLASSES: Record<string, string> = {
  d: '0-9',
  w: '0-9A-Za-z_',
  s: '\\t\\n\\f\\r ',
};
const NEGATED: Record<string, string> = { D: CLASSES.d!, W: CLASSES.w!, S: CLASSES.s! };
const SAME_ESCAPES = /[tnrf.*+?()[\]{}|^$\\/"'\-#&~!@%:;,<>= _`]/;

/** The pattern as both engines read it; undefined when it holds what they do not share. */
export function sharedPattern(pattern: string): string | undefined {
  let made = '';
  let inClass = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const sign = pattern[at]!;
    const next = pattern[at + 1] ?? '';
    if (sign === '\\') {
      const shared = escaped(next, inClass);
      if (shared === undefined) return undefined;
      made += shared;
      at += 1;
    } else if (inClass) {
      // In Joni a bracket or a double ampersand within a class means a class within it.
      if (sign === '[' && /[:.=]/.test(next)) return undefined;
      if (sign === ']') inClass = false;
      made += sign === '[' || sign === '&' ? `\\${sign}` : sign;
    } else if (sign === '[') {
      inClass = true;
      made += sign;
      for (const leading of ['^', ']']) {
        if (pattern[at + 1] !== leading) continue;
        at += 1;
        made += leading === ']' ? '\\]' : leading;
      }
    } else if (sign === '(' && next === '?') {
      if (pattern[at + 2] !== ':') return undefined;
      made += '(?:';
      at += 2;
    } else if (sign === '^' || sign === '$') {
      // Joni's `$` also stands before a last line end.
      made += sign === '^' ? '\\A' : '\\z';
    } else if (/[*+?}]/.test(sign) && next === '+') {
      return undefined;
    } else {
      made += sign;
    }
  }
  return inClass ? undefined : made;
}

function escaped(sign: string, inClass: boolean): string | undefined {
  if (CLASSES[sign]) return inClass ? CLASSES[sign] : `[${CLASSES[sign]}]`;
  if (NEGATED[sign]) return inClass ? undefined : `[^${NEGATED[sign]}]`;
  return sign !== '' && SAME_ESCAPES.test(sign) ? `\\${sign}` : undefined;
}

/** A replacement: groups are `\1` in DuckDB and `$1` in Trino. Undefined for one that cannot be said. */
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

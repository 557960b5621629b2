/** What each part of a date format matches. The engine alone would read `26` as the year 26. */
const PARTS: Record<string, string> = {
  d: '\\d{1,2}',
  m: '\\d{1,2}',
  y: '\\d{2}',
  Y: '\\d{4}',
  b: '\\p{L}+',
  B: '\\p{L}+',
  a: '\\p{L}+',
  A: '\\p{L}+',
  H: '\\d{1,2}',
  I: '\\d{1,2}',
  M: '\\d{1,2}',
  S: '\\d{1,2}',
  f: '\\d{1,6}',
  p: '[AaPp][Mm]',
};

export interface DateFormat {
  format: string;
  type: 'date' | 'timestamp';
  /** A regular expression that texts of the format match. */
  form: string;
  /** Whether its texts could be numbers. Only columns that are declared as dates then have the format. */
  isLikeNumber: boolean;
}

/** Parses a date format such as `%d.%m.%Y`, or returns what is wrong with it. */
export function readDateFormat(format: string): DateFormat | { issue: string } {
  const parts = format.match(/%.?|[^%]+/gsu) ?? [];
  const letters = parts.flatMap((part) => (part.startsWith('%') ? [part.slice(1)] : []));
  const unknown = letters.find((letter) => !Object.hasOwn(PARTS, letter));
  if (unknown !== undefined) {
    return { issue: `has an unknown part "%${unknown}"; known are ${knownParts()}` };
  }
  const has = (...names: string[]) => letters.filter((letter) => names.includes(letter)).length;
  if (has('d') !== 1 || has('m', 'b', 'B') !== 1 || has('y', 'Y') !== 1) {
    return { issue: 'must have the day, the month and the year once each, such as "%d.%m.%Y" or "%m/%d/%y"' };
  }
  if (new Set(letters).size < letters.length) return { issue: 'must not have a part twice' };
  if (has('I') !== has('p') || (has('I') && has('H'))) return { issue: 'must have %H, or %I with %p' };
  if (has('M', 'S', 'f') && !has('H', 'I')) return { issue: 'must have the hour if it has minutes' };
  const form = parts.map((part) => (part.startsWith('%') ? PARTS[part.slice(1)]! : escaped(part))).join('');
  const between = parts.filter((part) => !part.startsWith('%')).join('');
  return {
    format,
    type: has('H', 'I') ? 'timestamp' : 'date',
    form,
    isLikeNumber: !has('b', 'B') && /^[-+.,\s]?$/.test(between),
  };
}

const knownParts = () =>
  Object.keys(PARTS)
    .map((letter) => `%${letter}`)
    .join(', ');

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

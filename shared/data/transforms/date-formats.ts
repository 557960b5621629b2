/** The parts of a date format: `%Y` has four digits, the others one or two. */
const PARTS = ['Y', 'm', 'd', 'H', 'M', 'S'] as const;
type Part = (typeof PARTS)[number];

export interface DateFormat {
  /** A regular expression with a group for each part. */
  pattern: string;
  /** The place of the group of each part, from 1. */
  groups: Partial<Record<Part, number>>;
}

/** Reads a format such as `%d.%m.%Y`; undefined if it has another part or the same one twice. */
export function readDateFormat(format: string): DateFormat | undefined {
  const tokens = format.match(/%.|[^%]|%$/gsu) ?? [];
  const groups: DateFormat['groups'] = {};
  let pattern = '';
  for (const [index, token] of tokens.entries()) {
    const part = partOf(token);
    if (part === undefined) {
      if (token.startsWith('%') && token !== '%%') return undefined;
      pattern += literalPattern(token === '%%' ? '%' : token);
      continue;
    }
    if (groups[part] !== undefined) return undefined;
    groups[part] = Object.keys(groups).length + 1;
    // Beside another part, only a fixed number of digits says where one ends.
    const isAdjacent = partOf(tokens[index - 1]) !== undefined || partOf(tokens[index + 1]) !== undefined;
    pattern += part === 'Y' ? '([0-9]{4})' : isAdjacent ? '([0-9]{2})' : '([0-9]{1,2})';
  }
  return { pattern: `^${pattern}$`, groups };
}

const partOf = (token: string | undefined): Part | undefined => PARTS.find((part) => token === `%${part}`);

const literalPattern = (sign: string) => (/[\p{L}\p{N}\s]/u.test(sign) || sign > '\x7f' ? sign : `\\${sign}`);

const DATE = ['Y', 'm', 'd'] as const;

/** Why values of the type cannot have the format; undefined if they can. */
export function dateFormatIssue(format: string, type: 'date' | 'datetime' | 'time'): string | undefined {
  const read = readDateFormat(format);
  if (!read) return 'can have %Y, %m, %d, %H, %M and %S, each once, and %% for a percent sign';
  const has = (part: Part) => read.groups[part] !== undefined;
  if (type !== 'time' && !DATE.every(has)) return 'must have %Y, %m and %d';
  if (type === 'time' && DATE.some(has)) return 'cannot have %Y, %m or %d for a time of day';
  if (type === 'time' && !has('H')) return 'must have %H';
  if (has('M') && !has('H')) return 'must have %H beside %M';
  return has('S') && !has('M') ? 'must have %M beside %S' : undefined;
}

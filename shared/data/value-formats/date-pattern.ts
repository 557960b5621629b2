const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

type Part = 'year' | 'month' | 'day' | 'weekday' | 'hour' | 'hour12' | 'minute' | 'second' | 'half';

export type DateToken = { literal: string } | { part: Part; length: number };

const TOKENS = /"[^"]*"|'[^']*'|\\.|y+|M+|m+|d+|E+|H+|h+|s+|AM\/PM|a|[^A-Za-z"'\\]/gy;
const PARTS: Readonly<Record<string, Part>> = {
  ...{ y: 'year', M: 'month', d: 'day', E: 'weekday', H: 'hour', h: 'hour12', s: 'second', a: 'half', A: 'half' },
};

/**
 * The parts of a pattern such as `dd.MM.yyyy HH:mm`; undefined for a text that is none. `mm` are months, as in
 * spreadsheets, unless beside hours or seconds.
 */
export function datePattern(text: string): DateToken[] | undefined {
  const found = text.match(TOKENS) ?? [];
  if (found.join('') !== text) return undefined;
  const tokens = found.map((each): DateToken & { isMinute?: boolean } => {
    const literal = /^["'](.*)["']$/s.exec(each)?.[1] ?? /^\\(.)$/s.exec(each)?.[1];
    if (literal !== undefined) return { literal };
    if (each.startsWith('m')) return { part: 'minute', length: each.length };
    const part = PARTS[each[0]!];
    if (part === 'day' && each.length > 2) return { part: 'weekday', length: each.length };
    return part ? { part, length: each.length } : { literal: each };
  });
  const parts = tokens.flatMap((token) => ('part' in token ? [token] : []));
  if (parts.length === 0) return undefined;
  const isTwelve = parts.some(({ part }) => part === 'half');
  const hasMonth = parts.some(({ part }) => part === 'month');
  return tokens.map((token) => {
    if (!('part' in token)) return token;
    if (token.part === 'hour12' && !isTwelve) return { ...token, part: 'hour' };
    if (token.part !== 'minute' || hasMonth) return token;
    const at = parts.indexOf(token);
    const isClock = parts[at - 1]?.part.startsWith('hour') || parts[at + 1]?.part === 'second';
    return isClock ? token : { ...token, part: 'month' };
  });
}

/** The moment, taken as UTC, by the pattern. */
export const dateText = (tokens: readonly DateToken[], ms: number): string => {
  const date = new Date(ms);
  return tokens.map((token) => ('literal' in token ? token.literal : partText(token, date))).join('');
};

function partText({ part, length }: Extract<DateToken, { part: Part }>, date: Date): string {
  const padded = (value: number) => String(value).padStart(Math.min(length, 2), '0');
  const hour = date.getUTCHours();
  switch (part) {
    case 'year':
      return length === 2 ? padded(date.getUTCFullYear() % 100) : String(date.getUTCFullYear()).padStart(4, '0');
    case 'month': {
      const name = MONTHS[date.getUTCMonth()]!;
      return length === 3 ? name.slice(0, 3) : length > 3 ? name : padded(date.getUTCMonth() + 1);
    }
    case 'day':
      return padded(date.getUTCDate());
    case 'weekday': {
      const name = DAYS[date.getUTCDay()]!;
      return length > 3 ? name : name.slice(0, 3);
    }
    case 'hour':
      return padded(hour);
    case 'hour12':
      return padded(hour % 12 || 12);
    case 'minute':
      return padded(date.getUTCMinutes());
    case 'second':
      return padded(date.getUTCSeconds());
    case 'half':
      return hour < 12 ? 'AM' : 'PM';
  }
}

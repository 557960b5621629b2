/** Inclusive ranges of code points, in their order and apart from each other. */
export type CharacterSet = readonly (readonly [number, number])[];

/** A regular expression of what the engines have in common. */
export type Part =
  | { kind: 'characters'; set: CharacterSet }
  | { kind: 'sequence' | 'choice'; parts: readonly Part[] }
  | { kind: 'repeat'; part: Part; min: number; max: number }
  | { kind: 'group'; part: Part; number: number | undefined };

export interface Pattern {
  part: Part;
  /** Whether it begins with `^`, or ends with `$`. */
  atStart: boolean;
  atEnd: boolean;
  groupCount: number;
}

/** The text is not a pattern, or has something that engines read differently. */
export class PatternError extends Error {}

export const MAX_CODE_POINT = 0x10ffff;
const MAX_REPEATS = 100;

const point = (sign: string): number => sign.codePointAt(0)!;
const range = (from: string, to: string) => [point(from), point(to)] as const;

const SHORTHANDS: Record<string, CharacterSet> = {
  d: [range('0', '9')],
  w: [range('0', '9'), range('A', 'Z'), range('_', '_'), range('a', 'z')],
  s: [range('\t', '\n'), range('\f', '\r'), range(' ', ' ')],
};
const CONTROLS: Record<string, string> = { t: '\t', n: '\n', r: '\r', f: '\f' };
const NOT_NEWLINE = complement([range('\n', '\n')]);

/** Reads a pattern. Throws a PatternError. */
export const parsePattern = (text: string): Pattern => new Parser(text).pattern();

export function complement(set: CharacterSet): CharacterSet {
  const result: (readonly [number, number])[] = [];
  let next = 1;
  for (const [from, to] of set) {
    if (from > next) result.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= MAX_CODE_POINT) result.push([next, MAX_CODE_POINT]);
  return result;
}

function union(ranges: CharacterSet): CharacterSet {
  const result: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result;
}

class Parser {
  readonly #signs: readonly string[];
  #at = 0;
  #groupCount = 0;

  constructor(text: string) {
    this.#signs = Array.from(text);
  }

  pattern(): Pattern {
    const atStart = this.#take('^');
    const part = this.#choice();
    const atEnd = this.#take('$');
    if (this.#at < this.#signs.length) throw new PatternError(this.#unexpected());
    if ((atStart || atEnd) && part.kind === 'choice')
      throw new PatternError('needs brackets around alternatives beside ^ or $, as in ^(a|b)$');
    return { part, atStart, atEnd, groupCount: this.#groupCount };
  }

  get #sign(): string | undefined {
    return this.#signs[this.#at];
  }

  #take(sign: string): boolean {
    if (this.#sign !== sign) return false;
    this.#at += 1;
    return true;
  }

  #unexpected(): string {
    if (this.#sign === '^' || this.#sign === '$')
      return `can have ${this.#sign} at its ${this.#sign === '^' ? 'beginning' : 'end'} only`;
    return this.#sign === ')'
      ? 'has a bracket that nothing opens'
      : `cannot have ${this.#sign} here; put a \\ before it`;
  }

  #choice(): Part {
    const parts = [this.#sequence()];
    while (this.#take('|')) parts.push(this.#sequence());
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts };
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#sign !== undefined && !'|)$^'.includes(this.#sign)) parts.push(this.#repeated());
    return { kind: 'sequence', parts };
  }

  #repeated(): Part {
    const part = this.#atom();
    const counts = this.#counts();
    if (!counts) return part;
    const [min, max] = counts;
    if (this.#sign === '?' || this.#sign === '+')
      throw new PatternError(
        `cannot have ${this.#sign} after a quantifier; exclude what ends the match instead, as in <[^>]*>`,
      );
    if (this.#counts()) throw new PatternError('cannot have two quantifiers after each other');
    return { kind: 'repeat', part, min, max };
  }

  #counts(): [number, number] | undefined {
    if (this.#take('*')) return [0, Number.POSITIVE_INFINITY];
    if (this.#take('+')) return [1, Number.POSITIVE_INFINITY];
    if (this.#take('?')) return [0, 1];
    if (this.#sign !== '{') return undefined;
    const end = this.#signs.indexOf('}', this.#at);
    const [, min, comma, max] =
      /^\{(\d{1,3})(,)?(\d{1,3})?$/.exec(end < 0 ? '' : this.#signs.slice(this.#at, end).join('')) ?? [];
    const counts = [Number(min), comma ? Number(max ?? Number.POSITIVE_INFINITY) : Number(min)] as [number, number];
    const isValid = min !== undefined && (comma || max === undefined) && counts[0] <= counts[1] && counts[1] > 0;
    if (!isValid || counts.some((count) => count > MAX_REPEATS && count !== Number.POSITIVE_INFINITY))
      throw new PatternError(`must have a count such as {2,4} after {, at most ${MAX_REPEATS}; write \\{ for the sign`);
    this.#at = end + 1;
    return counts;
  }

  #atom(): Part {
    const sign = this.#sign!;
    if ('*+?{'.includes(sign))
      throw new PatternError(`has nothing before ${sign} to repeat; write \\${sign} for the sign`);
    this.#at += 1;
    if (sign === '(') return this.#group();
    if (sign === '[') return { kind: 'characters', set: this.#class() };
    if (sign === '.') return { kind: 'characters', set: NOT_NEWLINE };
    if (sign === ']' || sign === '}') throw new PatternError(`cannot have ${sign} here; put a \\ before it`);
    return { kind: 'characters', set: sign === '\\' ? this.#escape() : [range(sign, sign)] };
  }

  #group(): Part {
    let number: number | undefined;
    if (this.#sign === '?') {
      if (this.#signs[this.#at + 1] !== ':')
        throw new PatternError('cannot have (? but as (?:…): look-around, names and flags differ between engines');
      this.#at += 2;
    } else {
      this.#groupCount += 1;
      number = this.#groupCount;
    }
    const part = this.#choice();
    if (!this.#take(')'))
      throw new PatternError(this.#sign === undefined ? 'has a bracket that nothing closes' : this.#unexpected());
    return { kind: 'group', part, number };
  }

  #escape(): CharacterSet {
    const sign = this.#sign ?? '';
    this.#at += 1;
    const lower = sign.toLowerCase();
    if (Object.hasOwn(SHORTHANDS, lower)) return sign === lower ? SHORTHANDS[lower]! : complement(SHORTHANDS[lower]!);
    if (Object.hasOwn(CONTROLS, sign)) return [range(CONTROLS[sign]!, CONTROLS[sign]!)];
    if (!/^[!-/:-@[-`{-~ ]$/.test(sign)) throw new PatternError(`cannot have \\${sign}: engines read it differently`);
    return [range(sign, sign)];
  }

  #class(): CharacterSet {
    const isNegated = this.#take('^');
    const members: (readonly [number, number])[] = [];
    for (let isFirst = true; isFirst || this.#sign !== ']'; isFirst = false) {
      const from = this.#member();
      const isRange = this.#sign === '-' && this.#signs[this.#at + 1] !== ']';
      if (!isRange) {
        members.push(...from);
        continue;
      }
      this.#at += 1;
      const to = this.#member();
      const [low, high] = [single(from), single(to)];
      if (low === undefined || high === undefined || low > high)
        throw new PatternError('must have ranges from a smaller to a larger character, such as a-z');
      members.push([low, high]);
    }
    this.#at += 1;
    return isNegated ? complement(union(members)) : union(members);
  }

  #member(): CharacterSet {
    const sign = this.#sign;
    if (sign === undefined) throw new PatternError('has a [ that nothing closes');
    if (sign === '[') throw new PatternError('cannot have [ within brackets; put a \\ before it');
    this.#at += 1;
    return sign === '\\' ? this.#escape() : [range(sign, sign)];
  }
}

const single = (set: CharacterSet): number | undefined =>
  set.length === 1 && set[0]![0] === set[0]![1] ? set[0]![0] : undefined;

/** What the values of a field are, as far as comparing them goes. A `localDatetime` has no time zone. */
export const KEY_KINDS = [
  'text',
  'integer',
  'decimal',
  'number',
  'date',
  'localDatetime',
  'datetime',
  'uuid',
  'boolean',
] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** As what the values of both sides are compared. */
export const COMPARED_AS = ['text', 'integer', 'decimal', 'date', 'datetime', 'uuid', 'boolean'] as const;
export type ComparedAs = (typeof COMPARED_AS)[number];

export interface KeyOptions {
  as: ComparedAs | 'auto';
  /** An IANA name: the zone of dates, and of times without one. */
  timezone?: string | undefined;
  caseInsensitive?: boolean | undefined;
  trim?: boolean | undefined;
  matchNulls?: boolean | undefined;
}

export type KeyProblem =
  | { code: 'BLEND_KEY_TYPE'; suggestion: ComparedAs | null }
  | { code: 'BLEND_KEY_TIMEZONE' }
  | { code: 'CONFLICT'; member: 'timezone' | 'caseInsensitive' | 'trim' };

/** Which values each comparison takes. Floating-point numbers are compared only after rounding to decimals. */
const TAKES: Record<ComparedAs, readonly KeyKind[]> = {
  text: ['text', 'integer', 'decimal', 'date', 'uuid', 'boolean'],
  integer: ['text', 'integer', 'decimal'],
  decimal: ['text', 'integer', 'decimal', 'number'],
  date: ['text', 'date', 'localDatetime', 'datetime'],
  datetime: ['text', 'localDatetime', 'datetime'],
  uuid: ['text', 'uuid'],
  boolean: ['text', 'boolean'],
};

/** The pairs that compare without a decision of the author. */
const OBVIOUS: readonly (readonly [KeyKind, KeyKind, ComparedAs])[] = [
  ['text', 'text', 'text'],
  ['integer', 'integer', 'integer'],
  ['integer', 'decimal', 'decimal'],
  ['decimal', 'decimal', 'decimal'],
  ['date', 'date', 'date'],
  ['localDatetime', 'localDatetime', 'datetime'],
  ['datetime', 'datetime', 'datetime'],
  ['uuid', 'uuid', 'uuid'],
  ['boolean', 'boolean', 'boolean'],
];

/** As what the key compares values of the two kinds, or why it cannot. Undefined kinds have no values to compare. */
export function comparisonOf(
  left: KeyKind | undefined,
  right: KeyKind | undefined,
  options: KeyOptions,
): ComparedAs | KeyProblem {
  const pair = left && right && ([left, right] as const);
  const as = options.as === 'auto' ? pair && obvious(pair) : pair?.every(isTaken(options.as)) && options.as;
  if (!pair || !as) return { code: 'BLEND_KEY_TYPE', suggestion: pair ? suggestionFor(pair) : null };
  if (as !== 'text') {
    if (options.caseInsensitive) return { code: 'CONFLICT', member: 'caseInsensitive' };
    if (options.trim) return { code: 'CONFLICT', member: 'trim' };
  }
  const isZoned = needsTimezone(pair, as);
  if (isZoned && options.timezone === undefined) return { code: 'BLEND_KEY_TIMEZONE' };
  if (!isZoned && options.timezone !== undefined) return { code: 'CONFLICT', member: 'timezone' };
  return as;
}

const isTaken =
  (as: ComparedAs) =>
  (kind: KeyKind): boolean =>
    TAKES[as].includes(kind);

const obvious = ([left, right]: readonly [KeyKind, KeyKind]): ComparedAs | undefined =>
  OBVIOUS.find(([one, other]) => (one === left && other === right) || (one === right && other === left))?.[2];

/** The date of an instant depends on the zone, and so does the instant of a time without one. */
function needsTimezone(pair: readonly KeyKind[], as: ComparedAs): boolean {
  if (as === 'date') return pair.includes('datetime');
  if (as === 'datetime') return pair.includes('text') || new Set(pair).size > 1;
  return false;
}

/** What the author probably means. Null where nothing is likely. */
function suggestionFor(pair: readonly [KeyKind, KeyKind]): ComparedAs | null {
  const as = obvious(pair);
  if (as) return as;
  const [kind] = pair.filter((each) => each !== 'text');
  const wanted: ComparedAs[] = ['integer', 'decimal', 'date', 'datetime', 'uuid', 'boolean'];
  const fitting = wanted.filter((each) => pair.every(isTaken(each)));
  if (!pair.includes('text')) return fitting[0] ?? null;
  const own: Partial<Record<KeyKind, ComparedAs>> = { number: 'decimal', localDatetime: 'datetime' };
  return fitting.find((each) => each === (own[kind!] ?? kind)) ?? fitting[0] ?? null;
}

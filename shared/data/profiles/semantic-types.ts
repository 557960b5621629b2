import { isIP } from 'node:net';
import { isDate } from '../../platform/schedule/days.ts';
import { EMAIL_PATTERN, LONG_EMAIL_LABEL, MAX_EMAIL, MAX_EMAIL_LOCAL, PHONE_PATTERN } from '../quality/tests.ts';

export const SEMANTIC_TYPES = [
  'email',
  'phone',
  'url',
  'uuid',
  'ip_address',
  'iban',
  'postal_code',
  'country',
  'currency',
  'date',
  'boolean',
  'identifier',
  'category',
  'free_text',
] as const;
export type SemanticType = (typeof SEMANTIC_TYPES)[number];

export interface SemanticMatch {
  type: SemanticType;
  /** Percent of the values that match. */
  matchPct: number;
}

export interface TextValue {
  text: string;
  count: number;
}

/** What is known of a column besides the values themselves. */
export interface ColumnFacts {
  name: string;
  kind: 'text' | 'number' | 'date' | 'boolean' | 'other';
  isInteger: boolean;
  values: number;
  distinct: number;
}

/** A type is inferred when so many percent of the values match. */
export const MIN_MATCH_PCT = 90;
const MAX_CATEGORIES = 50;
const MIN_REPEATS = 5;
/** Fewer values say nothing about whether they are unique. */
const MIN_IDENTIFIERS = 10;

const IDENTIFIER_NAME = /(^|_|[a-z])(id|key|uuid|code|number|no)$/i;
const EMAIL = new RegExp(EMAIL_PATTERN, 'u');
const LONG_LABEL = new RegExp(LONG_EMAIL_LABEL);
const PHONE = new RegExp(PHONE_PATTERN);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
const POSTAL_CODE =
  /^(\d{4,6}|\d{5}-\d{4}|\d{3} \d{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|\d{4} ?[A-Z]{2})$/i;
const BOOLEANS = new Set(['true', 'false', 'yes', 'no', 'y', 'n', 't', 'f', 'on', 'off']);
const OTHER_DATES = /^(0?[1-9]|[12]\d|3[01])[./-](0?[1-9]|[12]\d|3[01])[./-](\d{2}|\d{4})$/;
const TIME = /^[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/;

const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** Codes of regions that are no countries. */
const NO_COUNTRIES = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ']);

/** Countries by code and by English name, in lower case; made on first use. */
let countries: ReadonlySet<string> | undefined;
function isCountry(text: string): boolean {
  countries ??= new Set(
    LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).flatMap((code) => {
      const name = NO_COUNTRIES.has(code) ? undefined : regions.of(code);
      return name === undefined ? [] : [code.toLowerCase(), name.toLowerCase()];
    }),
  );
  return countries.has(text.toLowerCase());
}

let currencies: ReadonlySet<string> | undefined;
function isCurrency(text: string): boolean {
  currencies ??= new Set(Intl.supportedValuesOf('currency'));
  return currencies.has(text);
}

interface Detector {
  type: SemanticType;
  matches(text: string): boolean;
  /** The column must have such a name, because other kinds of values look the same. */
  name?: RegExp;
}

/** The first that matches is taken: an address of the network or a date could also be a telephone number. */
const DETECTORS: readonly Detector[] = [
  { type: 'uuid', matches: (text) => UUID.test(text) },
  { type: 'email', matches: isEmail },
  { type: 'url', matches: isUrl },
  { type: 'ip_address', matches: (text) => isIP(text) !== 0 },
  { type: 'date', matches: isDateText },
  { type: 'iban', matches: isIban },
  { type: 'postal_code', matches: (text) => POSTAL_CODE.test(text), name: /zip|post.?(al|code)|plz/i },
  { type: 'phone', matches: (text) => isPhone(text), name: /phone|mobile|tel|fax|cell/i },
  { type: 'phone', matches: (text) => isPhone(text) && /^\+|[ ()./-]/.test(text) },
  { type: 'currency', matches: isCurrency },
  { type: 'country', matches: isCountry },
  { type: 'boolean', matches: (text) => BOOLEANS.has(text.toLowerCase()) },
];

/** The meaning of the values of a column, by `values`, which may be a sample of them. */
export function inferSemanticType(
  facts: ColumnFacts,
  values: readonly TextValue[],
  detect: readonly SemanticType[] = SEMANTIC_TYPES,
): SemanticMatch | null {
  const found = facts.kind === 'text' ? detectText(facts, values, detect) : undefined;
  return found ?? byFrequency(facts, values).find(({ type }) => detect.includes(type)) ?? null;
}

function detectText(
  { name }: ColumnFacts,
  values: readonly TextValue[],
  detect: readonly SemanticType[],
): SemanticMatch | undefined {
  const texts = values.map(({ text, count }) => ({ text: text.trim(), count })).filter(({ text }) => text !== '');
  const total = texts.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return undefined;
  for (const { type, matches, name: named } of DETECTORS) {
    if (!detect.includes(type) || (named && !named.test(name))) continue;
    const matching = texts.reduce((sum, { text, count }) => (matches(text) ? sum + count : sum), 0);
    const matchPct = (100 * matching) / total;
    if (matchPct >= MIN_MATCH_PCT) return { type, matchPct };
  }
  return undefined;
}

function byFrequency(
  { name, kind, isInteger, values, distinct }: ColumnFacts,
  sample: readonly TextValue[],
): SemanticMatch[] {
  const canRepeat = kind === 'text' || (kind === 'number' && isInteger);
  if (!canRepeat || values === 0) return [];
  const found: SemanticMatch[] = [];
  const uniquePct = (100 * distinct) / values;
  const pctOf = (matches: (text: string) => boolean) => {
    const total = sample.reduce((sum, { count }) => sum + count, 0);
    return total === 0
      ? 0
      : (100 * sample.reduce((sum, { text, count }) => (matches(text) ? sum + count : sum), 0)) / total;
  };
  const isKey =
    IDENTIFIER_NAME.test(name) || (kind === 'text' && pctOf((text) => /^(?=.*\d)\S+$/.test(text)) >= MIN_MATCH_PCT);
  if (isKey && distinct >= MIN_IDENTIFIERS && uniquePct >= MIN_MATCH_PCT) {
    found.push({ type: 'identifier', matchPct: Math.min(uniquePct, 100) });
  }
  if (distinct <= MAX_CATEGORIES && values >= distinct * MIN_REPEATS) found.push({ type: 'category', matchPct: 100 });
  const prosePct = kind === 'text' ? pctOf((text) => /\S\s+\S+\s+\S/.test(text)) : 0;
  if (prosePct >= 50) found.push({ type: 'free_text', matchPct: prosePct });
  return found;
}

function isEmail(text: string): boolean {
  const isLong = text.length > MAX_EMAIL || text.indexOf('@') > MAX_EMAIL_LOCAL || LONG_LABEL.test(text);
  return !isLong && EMAIL.test(text);
}

function isUrl(text: string): boolean {
  return /^(https?|ftp):\/\/[^\s/?#]+\S*$/i.test(text) && URL.canParse(text);
}

function isPhone(text: string): boolean {
  const digits = text.replace(/\D/g, '').length;
  return PHONE.test(text) && digits >= 7 && digits <= 15;
}

function isDateText(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return OTHER_DATES.test(text);
  return isDate(text.slice(0, 10)) && (text.length === 10 || TIME.test(text.slice(10)));
}

/** The number that the letters and digits form has the remainder 1 by 97 (ISO 13616). */
function isIban(text: string): boolean {
  const compact = text.replaceAll(' ', '');
  if (!IBAN.test(compact)) return false;
  const moved = compact.slice(4) + compact.slice(0, 4);
  return [...moved].reduce((rest, sign) => Number(`${rest}${Number.parseInt(sign, 36)}`) % 97, 0) === 1;
}

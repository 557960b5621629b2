import type { ColumnProfile, TableProfile, ValueCount } from '../../../data/profiles/profile.ts';
import { MAX_VALUE_LENGTH } from '../../../data/profiles/profile.ts';
import type { Severity, TestType } from '../../../data/quality/tests.ts';
import { NUMBERS } from '../../../data/quality/tests.ts';
import { DAY_MS } from '../../../platform/schedule/durations.ts';
import { momentOf } from '../scans/newest-moments.ts';
import { regexOfPattern } from './pattern-regex.ts';

/** A test that the values of a table suggest, before it was tried on them. */
export interface Candidate {
  testType: TestType;
  columnName: string | null;
  config: Record<string, unknown>;
  severity: Severity;
  confidence: number;
  /** How many scans in a row support it. */
  scans: number;
  reason: string;
}

/** A column of a dataset that the values of a column may refer to. */
export interface Reference {
  columnName: string;
  refTable: string;
  refColumn: string;
}

/** When a dataset is loaded, as far as that is known. */
export interface Cadence {
  loadedAt: string;
  everyMs: number;
}

export interface SuggestionInput {
  profile: TableProfile;
  /** The scan before. */
  previous?: TableProfile | undefined;
  references?: readonly Reference[];
  cadence?: Cadence | undefined;
}

/** Fewer rows prove nothing about missing values and ranges. */
const MIN_ROWS = 1_000;
const MIN_KEYS = 100;
const MAX_ALLOWED = 20;
const MIN_REPEATS = 20;
const MIN_MATCH_PCT = 99;
const MIN_CONTAINMENT = 0.995;
const MAX_BOUND = 1e15;

const UUID = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$';

/** The tests that a profile suggests, the most certain first. They still have to be tried on the rows. */
export function suggestTests({ profile, previous, references = [], cadence }: SuggestionInput): Candidate[] {
  const earlier = new Map(previous?.columns.map((column) => [column.name, column]));
  const ofColumns = profile.columns.flatMap((column) => {
    const before = earlier.get(column.name);
    const same = before?.dataType === column.dataType ? before : undefined;
    return [notNull(column, same), unique(column, same), ofValues(column, same)].filter((found) => found !== undefined);
  });
  const all = [...ofColumns, ...references.map(foreignKey), ...freshness(profile, cadence)];
  return all.sort((a, b) => b.confidence - a.confidence);
}

type Rule = (column: ColumnProfile, before: ColumnProfile | undefined) => Candidate | undefined;

const valuesOf = ({ rowCount, nullCount }: ColumnProfile): number => rowCount - nullCount;

const candidate = (
  { name: columnName }: ColumnProfile,
  before: ColumnProfile | undefined,
  rest: Omit<Candidate, 'columnName' | 'scans'>,
): Candidate => ({ columnName, scans: before ? 2 : 1, ...rest });

const notNull: Rule = (column, before) => {
  const isComplete = ({ nullCount, rowCount }: ColumnProfile) => nullCount === 0 && rowCount >= MIN_ROWS;
  if (!before || !isComplete(column) || !isComplete(before)) return undefined;
  return candidate(column, before, {
    testType: 'not_null',
    config: {},
    severity: 'high',
    confidence: 0.9,
    reason: `All ${column.rowCount} rows have a value, as in the previous scan.`,
  });
};

/** Measurements may happen to differ, so only what can be a key is expected to. */
const unique: Rule = (column, before) => {
  const { dataType, uniquePct, isDistinctExact, distinctCount, nonFiniteCount } = column;
  const canBeKey = dataType === 'integer' || (dataType === 'string' && !isProse(column));
  const isUnique = uniquePct === 100 && isDistinctExact && nonFiniteCount === 0 && distinctCount >= MIN_KEYS;
  if (!canBeKey || !isUnique) return undefined;
  const isKey = ['identifier', 'uuid'].includes(column.inferredSemanticType?.type ?? '');
  return candidate(column, before?.uniquePct === 100 ? before : undefined, {
    testType: 'unique',
    config: {},
    severity: 'high',
    confidence: isKey ? 0.98 : 0.8,
    reason: `All ${distinctCount} values differ.`,
  });
};

const isProse = ({ inferredSemanticType }: ColumnProfile): boolean => inferredSemanticType?.type === 'free_text';

/** One rule about the values of a column: the most specific. */
const ofValues: Rule = (column, before) =>
  semantic(column, before) ?? allowedValues(column, before) ?? shape(column, before) ?? range(column, before);

const semantic: Rule = (column, before) => {
  const { dataType, inferredSemanticType } = column;
  if (dataType !== 'string' || !inferredSemanticType || valuesOf(column) < MIN_KEYS) return undefined;
  const { type, matchPct } = inferredSemanticType;
  if (matchPct < MIN_MATCH_PCT || (type !== 'email' && type !== 'phone' && type !== 'uuid')) return undefined;
  const isSame = before?.inferredSemanticType?.type === type;
  const limit = matchPct === 100 ? {} : { mostly: MIN_MATCH_PCT / 100 };
  return candidate(column, isSame ? before : undefined, {
    ...(type === 'uuid'
      ? { testType: 'regex', config: { pattern: UUID, ...limit } }
      : { testType: type, config: limit }),
    severity: 'medium',
    confidence: matchPct / 100 - 0.05,
    reason: `${percent(matchPct)} of the values are of type ${type}.`,
  });
};

const allowedValues: Rule = (column, before) => {
  const { distinctCount, topValues, isSampled, isDistinctExact } = column;
  const isListed = isDistinctExact && !isSampled && distinctCount === topValues.length;
  if (!before || !isListed || distinctCount < 2 || distinctCount > MAX_ALLOWED) return undefined;
  if (valuesOf(column) < MIN_REPEATS * distinctCount) return undefined;
  const values = allowed(column.dataType, topValues);
  if (!values || JSON.stringify(values) !== JSON.stringify(allowed(before.dataType, before.topValues)))
    return undefined;
  return candidate(column, before, {
    testType: 'allowed_values',
    config: { values },
    severity: 'medium',
    confidence: 0.85,
    reason: `${valuesOf(column)} rows have ${distinctCount} different values, the same as in the previous scan.`,
  });
};

/** Undefined if a value cannot be written as a setting, or was cut. */
function allowed(dataType: string, top: readonly ValueCount[]): (string | number)[] | undefined {
  const values = top.map(({ value }) => value);
  const isText = dataType === 'string' && values.every((value) => String(value).length < MAX_VALUE_LENGTH);
  const isNumber = NUMBERS.test(dataType) && values.every((value) => Math.abs(value as number) <= MAX_BOUND);
  const type = isText ? 'string' : isNumber ? 'number' : undefined;
  if (!type || values.some((value) => typeof value !== type)) return undefined;
  return (values as (string | number)[]).sort((a, b) => (a < b ? -1 : 1));
}

const shape: Rule = (column, before) => {
  const [first] = column.patterns;
  if (column.dataType !== 'string' || !first || first.pct < MIN_MATCH_PCT || valuesOf(column) < MIN_ROWS)
    return undefined;
  const pattern = regexOfPattern(first.pattern);
  if (!pattern) return undefined;
  const isSame = before?.patterns[0]?.pattern === first.pattern;
  return candidate(column, isSame ? before : undefined, {
    testType: 'regex',
    config: { pattern, ...(first.pct === 100 ? {} : { mostly: MIN_MATCH_PCT / 100 }) },
    severity: 'medium',
    confidence: isSame ? 0.7 : 0.6,
    reason: `${percent(first.pct)} of the values have the shape ${first.pattern}.`,
  });
};

/** Keys always grow, so that they have no range. */
const range: Rule = (column, before) => {
  const isKey = column.uniquePct === 100 || column.inferredSemanticType?.type === 'identifier';
  if (!before || !NUMBERS.test(column.dataType) || isKey || valuesOf(column) < MIN_ROWS) return undefined;
  const [found, earlier] = [boundsOf(column), boundsOf(before)];
  if (!found || !earlier || found.min === found.max) return undefined;
  const wider = widened(found);
  if (earlier.min < wider.min || earlier.max > wider.max) return undefined;
  return candidate(column, before, {
    testType: 'value_range',
    config: wider,
    severity: 'low',
    confidence: 0.5,
    reason: `The values are between ${found.min} and ${found.max}; the range of the test is 10% wider.`,
  });
};

function boundsOf({ min, max }: ColumnProfile): { min: number; max: number } | undefined {
  const [low, high] = [min, max].map(Number) as [number, number];
  const isUsable = min !== null && max !== null && Math.abs(low) <= MAX_BOUND / 2 && Math.abs(high) <= MAX_BOUND / 2;
  return isUsable ? { min: low, max: high } : undefined;
}

/** Rounded away from the values. Numbers that are never negative stay so. */
function widened({ min, max }: { min: number; max: number }): { min: number; max: number } {
  const margin = (max - min) / 10;
  const step = 10 ** Math.floor(Math.log10(margin));
  const down = rounded(Math.floor((min - margin) / step) * step, step);
  const up = rounded(Math.ceil((max + margin) / step) * step, step);
  return { min: min >= 0 ? Math.max(0, down) : down, max: up };
}

const rounded = (value: number, step: number): number =>
  step >= 1 ? Math.round(value) : Number(value.toFixed(Math.min(15, Math.ceil(-Math.log10(step)))));

/** Named alike; whether the values are contained is tried on the rows. */
const foreignKey = ({ columnName, refTable, refColumn }: Reference): Candidate => ({
  testType: 'foreign_key',
  columnName,
  config: { refTable, refColumn, mostly: MIN_CONTAINMENT },
  severity: 'high',
  confidence: 0.9,
  scans: 1,
  reason: `The values exist in ${refColumn} of ${refTable}.`,
});

/** Rows of recent loads have recent dates, where a column has some for each load. */
function freshness({ columns, rowCount }: TableProfile, cadence: Cadence | undefined): Candidate[] {
  if (!cadence || rowCount < MIN_ROWS) return [];
  const loadedAt = Date.parse(cadence.loadedAt);
  const lagOf = ({ max }: ColumnProfile) => loadedAt - momentOf(max);
  const isRecent = (column: ColumnProfile) => {
    const lag = lagOf(column);
    return (
      /^(date|timestamp|timestamptz)$/.test(column.dataType) && lag >= -DAY_MS && lag <= 2 * cadence.everyMs + DAY_MS
    );
  };
  const [newest] = columns.filter(isRecent).sort((a, b) => lagOf(a) - lagOf(b));
  if (!newest) return [];
  const days = Math.ceil((2 * cadence.everyMs + Math.max(0, lagOf(newest))) / DAY_MS) + 1;
  return [
    {
      testType: 'row_count',
      columnName: null,
      config: { min: 1, where: `${quoted(newest.name)} >= current_date - INTERVAL ${days} DAY` },
      severity: 'medium',
      confidence: 0.75,
      scans: 1,
      reason: `The table is loaded about every ${hours(cadence.everyMs)}, and ${newest.name} of its newest row is recent.`,
    },
  ];
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const hours = (ms: number): string =>
  ms >= 2 * DAY_MS ? `${Math.round(ms / DAY_MS)} days` : `${Math.round(ms / 3_600_000) || 1} hours`;
/** What is not all is not 100%. */
const percent = (pct: number): string =>
  pct < 100 && pct >= 99.995 ? 'More than 99.99%' : `${Number(pct.toFixed(2))}%`;

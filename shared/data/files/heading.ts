import { isFilled, isYear, kindOf, type ValueKind } from './value-kinds.ts';

/** What the columns say about whether a record has their names or values of them. */
export interface HeadingSigns {
  /**
   * Columns whose values are of one kind, and this record has something else: a text over numbers, a date over amounts.
   */
  names: number[];
  /** Columns in which this record has a value of the same kind as the others. */
  values: number[];
  /** Columns of texts without digits, over which this record has a number or date. */
  overTexts: number;
  /** Columns with numbers that may be names, such as a year over amounts. */
  doubtful: number;
}

/** Whether a record has the names of the columns; `unclear` if it may as well be data. */
export type Heading = 'names' | 'data' | 'unclear';

export function headingOf(first: readonly string[], others: readonly string[][]): Heading {
  if (!first.some(isFilled)) return 'data';
  const whole = first.join('\u0000');
  if (others.some((record) => record.join('\u0000') === whole)) return 'data';
  const { names, values, overTexts, doubtful } = headingSigns(first, others);
  if (names.length > 0) return values.length > 0 ? 'unclear' : 'names';
  if (values.length > 0) return 'data';
  if (overTexts > 0) return 'names';
  if (doubtful > 0) return 'unclear';
  return first.some(isValue) ? 'data' : 'names';
}

/** No program names a column `null`. */
const isValue = (value: string): boolean =>
  (kindOf(value) ?? 'text') !== 'text' || /^(?:null|nan)$/i.test(value.trim());

export function headingSigns(first: readonly string[], others: readonly string[][]): HeadingSigns {
  const columns = first.map((value, index) => columnOf(value, others, index));
  const years = signOfYears(columns);
  const isSeries = new Set(seriesOf(columns, others));
  const found: HeadingSigns = { names: [], values: [], overTexts: 0, doubtful: 0 };
  for (const column of columns) {
    const sign = hasYear(column) ? years : isSeries.has(column.index) ? 'doubtful' : signOf(column);
    if (sign === 'names' || sign === 'values') found[sign].push(column.index);
    else if (sign !== undefined) found[sign] += 1;
  }
  return found;
}

interface Column {
  index: number;
  value: string;
  kind: ValueKind | undefined;
  /** The values of the other records. */
  below: string[];
  /** The kinds of these values. */
  kinds: Set<ValueKind>;
}

function columnOf(value: string, others: readonly string[][], index: number): Column {
  const below: string[] = [];
  const kinds = new Set<ValueKind>();
  for (const record of others) {
    const other = record[index] ?? '';
    const kind = kindOf(other);
    if (kind === undefined) continue;
    below.push(other);
    kinds.add(kind);
  }
  return { index, value, kind: kindOf(value), below, kinds };
}

type Sign = keyof HeadingSigns | undefined;

function signOf({ kind, kinds, below }: Column): Sign {
  if (kind === undefined || kinds.size === 0) return undefined;
  if (kind === 'text') return kinds.has('text') || kinds.size > 1 ? undefined : 'names';
  if (kinds.has(kind)) return 'values';
  if (!kinds.has('text')) return kinds.size === 1 ? 'names' : undefined;
  // Codes such as `12a` are values of the same column as `12`.
  return below.some((value) => /\d/.test(value)) ? undefined : 'overTexts';
}

const hasYear = ({ value, kind, kinds }: Column): boolean => kind === 'number' && isYear(value) && kinds.has('number');

/**
 * Years over other numbers are names if there are several in order. A single one may be the first value as well. A few
 * of the numbers below a series of years may look like years, too.
 */
function signOfYears(all: readonly Column[]): Sign {
  const columns = all.filter(hasYear);
  const numbers = columns.flatMap(({ below }) => below.filter((value) => kindOf(value) === 'number'));
  const share = numbers.filter(isYear).length / numbers.length;
  const steps = stepsOf(columns.map(({ value }) => Number(value)));
  const isOrdered = steps.length > 0 && steps.every((step) => step !== 0 && Math.sign(step) === Math.sign(steps[0]!));
  const isRegular = steps.length > 1 && new Set(steps).size === 1;
  if (isOrdered && (share === 0 || (isRegular && share < 0.5))) return 'names';
  return share === 0 || (isOrdered && share < 0.5) ? 'doubtful' : 'values';
}

const stepsOf = (values: readonly number[]): number[] => values.slice(1).map((value, i) => value - values[i]!);

const MIN_SERIES = 4;

/**
 * Columns under consecutive numbers from 0 or 1, such as those of months, unless other records have such numbers, too.
 */
function seriesOf(columns: readonly Column[], others: readonly string[][]): number[] {
  const start = columns.findIndex(({ value, kinds }) => /^[01]$/.test(value.trim()) && kinds.has('number'));
  if (start < 0) return [];
  const first = Number(columns[start]!.value);
  const rest = columns.slice(start);
  const end = rest.findIndex(({ value, kinds }, i) => value.trim() !== String(first + i) || !kinds.has('number'));
  const length = end < 0 ? rest.length : end;
  if (length < MIN_SERIES) return [];
  const isSeries = (record: readonly string[]) =>
    stepsOf(record.slice(start, start + length).map(Number)).every((step) => step === 1);
  return others.some(isSeries) ? [] : rest.slice(0, length).map(({ index }) => index);
}

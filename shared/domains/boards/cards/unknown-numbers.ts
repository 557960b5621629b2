import type { ChartData } from '../../../data/charts/chart-columns.ts';

const NUMBER = /\d+(?:,\d{3})*(?:\.\d+)?/g;
const SCALES: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  million: 1e6,
  bn: 1e9,
  b: 1e9,
  billion: 1e9,
  '%': 0.01,
  percent: 0.01,
};
const SUFFIX = /^\s?(%|percent\b|thousand\b|million\b|billion\b|bn\b|[kKmMbB]\b)/;

/**
 * The numbers of a text that are not in the rows: neither a value, also rounded or in thousands, nor part of a name or
 * a date, nor a count of rows.
 */
export function unknownNumbers(text: string, { columns, rows }: ChartData): string[] {
  const values = rows.flatMap((row) => row.flatMap((value) => numberOf(value) ?? []));
  const words = JSON.stringify([columns.map(({ name }) => name), rows.map((row) => row.filter(isWord))]);
  const named = new Set([...words.matchAll(NUMBER)].map(([each]) => plainNumber(each)));
  return unknownAmong(
    text,
    values,
    (number) => (Number.isInteger(number) && number <= rows.length) || named.has(number),
  );
}

/** The numbers of a text that are in none of the known texts, also rounded or in thousands. */
export function numbersBeyond(text: string, known: readonly string[]): string[] {
  const readings = known.flatMap((each) => [...each.matchAll(NUMBER)].flatMap((found) => readingsOf(each, found)));
  const written = new Set(readings);
  return unknownAmong(text, readings, (number) => written.has(number));
}

/** A number as it is written, and with its suffix: 5 and 0.05 for 5%. */
function readingsOf(text: string, found: RegExpExecArray): number[] {
  const number = plainNumber(found[0]);
  const suffix = suffixAt(text, found);
  return suffix === undefined ? [number] : [number, number * SCALES[suffix]!];
}

const plainNumber = (written: string): number => Number(written.replaceAll(',', ''));

const suffixAt = (text: string, { 0: written, index }: RegExpExecArray): string | undefined =>
  SUFFIX.exec(text.slice(index + written.length))?.[1]?.toLowerCase();

function unknownAmong(text: string, values: readonly number[], isNamed: (number: number) => boolean): string[] {
  return [...text.matchAll(NUMBER)].flatMap((found) => {
    const [written] = found;
    const suffix = suffixAt(text, found);
    const number = plainNumber(written);
    if (suffix === undefined && isNamed(number)) return [];
    const scales = suffix === undefined ? [1] : suffix === '%' || suffix === 'percent' ? [1, 0.01] : [SCALES[suffix]!];
    const step = 10 ** -(written.split('.')[1]?.length ?? 0);
    const fits = scales.some((scale) =>
      values.some((value) => Math.abs(Math.abs(value) - number * scale) <= (step * scale) / 2 + 1e-9 * Math.abs(value)),
    );
    return fits ? [] : [`${written}${suffix ?? ''}`];
  });
}

const isWord = (value: unknown): boolean => typeof value === 'string' && numberOf(value) === undefined;

/** Decimals and large integers are texts. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
}

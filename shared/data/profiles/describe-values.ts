import type { Engine } from '../duckdb/engine.ts';
import { quoteLiteral } from '../duckdb/quoting.ts';
import { ask, VALUES } from './ask.ts';
import { axisOf, type ProfiledColumn } from './column-kinds.ts';
import type { Counters } from './counters.ts';
import { type Distribution, sharesOf } from './distribution.ts';
import { HISTOGRAM_BINS, type HistogramBin, MAX_VALUE_LENGTH, type Value, type ValueCount } from './profile.ts';
import type { TextValue } from './semantic-types.ts';

const PERCENTILES = [0.05, 0.25, 0.5, 0.75, 0.95];
const DECILES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
/** Numbers with more distinct values are compared by deciles, and with fewer one by one. */
const MAX_COMPARED_VALUES = 20;
/** Distinct texts whose meaning and patterns are examined. */
const EXAMINED_TEXTS = 10_000;

/** The most frequent values. Where none repeats, the first ones say nothing and are left out. */
export async function readTopValues(
  engine: Engine,
  column: ProfiledColumn,
  { topK, distinct, total, scale }: { topK: number; distinct: number; total: number; scale: number },
): Promise<ValueCount[]> {
  const value = column.kind === 'text' ? `left(v, ${MAX_VALUE_LENGTH})` : 'v';
  const rows = await ask(engine, `SELECT ${value}, n FROM ${VALUES} ORDER BY n DESC, v LIMIT ${topK}`, topK);
  const repeats = rows.some(([, count]) => Number(count) > 1);
  if (!repeats && distinct > topK) return [];
  return rows.map(([value, count]) => ({
    value: value as Value,
    count: Math.round(Number(count) * scale),
    pct: (100 * Number(count)) / total,
  }));
}

export interface Percentiles {
  percentiles: (Value | null)[];
  /** Positions of the deciles on the axis of the column. */
  deciles: number[];
}

/** Numbers between two values are interpolated; of dates, the earlier one is taken. */
export async function readPercentiles(engine: Engine, column: ProfiledColumn, total: number): Promise<Percentiles> {
  const places = PERCENTILES.map((share) => share * (total - 1));
  const at = (place: number) => `min(v) FILTER (WHERE upto > ${Math.floor(place)})`;
  const between = (place: number) => {
    const rest = place - Math.floor(place);
    if (rest === 0) return `${at(place)}::DOUBLE`;
    return `${at(place)}::DOUBLE * ${1 - rest}::DOUBLE + ${at(place + 1)}::DOUBLE * ${rest}::DOUBLE`;
  };
  const shown = places.map(column.kind === 'number' ? between : at);
  const cuts = DECILES.map((share) => axisOf(column, at(share * (total - 1))));
  const [row = []] = await ask(
    engine,
    `SELECT ${[...shown, ...cuts].join(', ')} FROM (SELECT v, sum(n) OVER (ORDER BY v) AS upto FROM ${VALUES})`,
  );
  return {
    percentiles: row.slice(0, PERCENTILES.length) as (Value | null)[],
    deciles: row.slice(PERCENTILES.length) as number[],
  };
}

/** Bins of equal width between the smallest and the largest value. */
export async function readHistogram(engine: Engine, column: ProfiledColumn, scale: number): Promise<HistogramBin[]> {
  const axis = axisOf(column, 'v');
  const [[low, high] = []] = (await ask(engine, `SELECT min(${axis}), max(${axis}) FROM ${VALUES}`)) as number[][];
  if (low === undefined || high === undefined || low === null || high === null) return [];
  const show = column.kind === 'date' ? showSeconds : (position: number) => position;
  // Divided before they are subtracted, because the difference may be beyond a double.
  const width = high / HISTOGRAM_BINS - low / HISTOGRAM_BINS;
  const bins = low === high || width === 0 ? 1 : HISTOGRAM_BINS;
  const place =
    bins === 1 ? '0' : `greatest(0, least(${bins - 1}, floor(${axis} / ${width}::DOUBLE - ${low / width}::DOUBLE)))`;
  const rows = await ask(engine, `SELECT ${place}::INTEGER AS bin, sum(n)::BIGINT FROM ${VALUES} GROUP BY bin`, bins);
  const counts = new Map(rows.map(([bin, count]) => [Number(bin), Number(count)]));
  const edge = (index: number) => (index === bins ? high : low + index * width);
  return Array.from({ length: bins }, (_, index) => ({
    low: show(edge(index)),
    high: show(edge(index + 1)),
    count: Math.round((counts.get(index) ?? 0) * scale),
  }));
}

const showSeconds = (seconds: number): string => {
  const at = new Date(seconds * 1000);
  return Number.isNaN(at.getTime()) ? String(seconds) : at.toISOString();
};

/** What the next profile is compared with; null where a comparison would say nothing. */
export async function readDistribution(
  engine: Engine,
  column: ProfiledColumn,
  found: { counters: Counters; distinct: number; deciles: readonly number[]; top: readonly ValueCount[] },
): Promise<Distribution | null> {
  const { counters, distinct, deciles, top } = found;
  // New rows of a key or of a date are always beyond the earlier ones.
  const isKey = column.type === 'integer' && distinct === counters.values && distinct > MAX_COMPARED_VALUES;
  if (column.kind === 'date' || isKey) return null;
  if (column.kind === 'number' && distinct > MAX_COMPARED_VALUES) {
    const edges = [...new Set(deciles)];
    const shares = await sharesAt(engine, column, edges);
    return shares ? { kind: 'bins', edges, shares } : null;
  }
  if (top.length === 0) return null;
  const values = top.map(({ value }) => String(value));
  const shares = await sharesOfValues(engine, values);
  return shares ? { kind: 'values', values, shares } : null;
}

/** The shares of the current values in the parts of an earlier distribution. */
export function readShares(
  engine: Engine,
  column: ProfiledColumn,
  before: Distribution,
): Promise<number[] | undefined> {
  if (before.kind === 'values') return sharesOfValues(engine, before.values);
  return column.kind === 'number' ? sharesAt(engine, column, before.edges) : Promise.resolve(undefined);
}

async function sharesAt(
  engine: Engine,
  column: ProfiledColumn,
  edges: readonly number[],
): Promise<number[] | undefined> {
  const axis = axisOf(column, 'v');
  const below = edges.map((edge) => `coalesce(sum(n) FILTER (WHERE ${axis} < ${edge}::DOUBLE), 0)::BIGINT`);
  const [row = []] = await ask(engine, `SELECT ${[...below, 'coalesce(sum(n), 0)::BIGINT'].join(', ')} FROM ${VALUES}`);
  const upto = row.map(Number);
  return sharesOf(upto.map((count, index) => count - (upto[index - 1] ?? 0)));
}

async function sharesOfValues(engine: Engine, values: readonly string[]): Promise<number[] | undefined> {
  const text = `left(CAST(v AS VARCHAR), ${MAX_VALUE_LENGTH})`;
  const list = values.map(quoteLiteral).join(', ');
  const known = await ask(
    engine,
    `SELECT ${text} AS value, sum(n)::BIGINT FROM ${VALUES} WHERE ${text} IN (${list}) GROUP BY value`,
    values.length,
  );
  const [[total] = []] = await ask(engine, `SELECT coalesce(sum(n), 0)::BIGINT FROM ${VALUES}`);
  const counts = new Map(known.map(([value, count]) => [value as string, Number(count)]));
  const each = values.map((value) => counts.get(value) ?? 0);
  return sharesOf([...each, Number(total) - each.reduce((sum, count) => sum + count, 0)]);
}

/** Distinct texts with their counts, chosen by their hashes if there are many. */
export async function readTexts(engine: Engine): Promise<TextValue[]> {
  const sql = `SELECT left(CAST(v AS VARCHAR), ${MAX_VALUE_LENGTH}), n FROM ${VALUES} ORDER BY hash(v) LIMIT ${EXAMINED_TEXTS}`;
  const rows = await ask(engine, sql, EXAMINED_TEXTS);
  return rows.map(([text, count]) => ({ text: text as string, count: Number(count) }));
}

export const isPartOfTexts = (distinct: number): boolean => distinct > EXAMINED_TEXTS;

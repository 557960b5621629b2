import type { TimeGrain } from '../../platform/schedule/fiscal-calendar.ts';
import { type FiscalCalendar, isFiscal } from '../../platform/schedule/fiscal-years.ts';
import { addPeriods, type PeriodGrain, startOfPeriod } from '../../platform/schedule/periods.ts';
import { d3Time } from '../value-formats/d3-format.ts';
import { fiscalTexts } from './fiscal-ticks.ts';
import { LABEL_SIZE } from './name-axis.ts';
import { textWidth } from './text-width.ts';

/** A label: what changes from one to the next, and below it, where it changes, what stays the same for several. */
export type TickText = readonly string[];

interface Step {
  grain: PeriodGrain;
  count: number;
  text: string;
  /** What the label names in a second line when it changes. */
  context?: string;
}

const steps = (grain: PeriodGrain, counts: readonly number[], text: string, context?: string): Step[] =>
  counts.map((count) => ({ grain, count, text, ...(context !== undefined && { context }) }));

const STEPS: readonly Step[] = [
  ...steps('second', [1, 5, 15, 30], '%H:%M:%S', '%-d %b %Y'),
  ...steps('minute', [1, 5, 15, 30], '%H:%M', '%-d %b %Y'),
  ...steps('hour', [1, 3, 6, 12], '%H:%M', '%-d %b %Y'),
  ...steps('day', [1, 2], '%-d %b', '%Y'),
  ...steps('week', [1, 2, 4], '%-d %b', '%Y'),
  ...steps('month', [1], '%b', '%Y'),
  ...steps('quarter', [1], 'Q%q', '%Y'),
  ...steps('month', [2, 3, 6], '%b', '%Y'),
  ...steps('year', [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000], '%Y'),
];
const ORDER: readonly PeriodGrain[] = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'];
const GAP = 10;

/**
 * The moments that an axis names, and how, so that their labels have room; in places, each moment has one of the same
 * width. Undefined for years beyond four digits.
 */
export function timeTicks(
  times: readonly number[],
  grain: TimeGrain | undefined,
  { length, isInPlaces, calendar }: { length: number; isInPlaces: boolean; calendar?: FiscalCalendar | undefined },
): Map<number, TickText> | undefined {
  const [first, last] = [Math.min(...times), Math.max(...times)];
  if (!Number.isFinite(first) || !isOfFourDigits(first) || !isOfFourDigits(last)) return undefined;
  const places = times.toSorted((one, other) => one - other);
  const placeOf = (moment: number) =>
    isInPlaces
      ? (places.indexOf(moment) * length) / places.length
      : ((moment - first) * length) / Math.max(1, last - first);
  if (grain && isFiscal(grain))
    return fiscalTexts(grain, calendar, [first, last])
      .map((texts) => new Map([...texts].filter(([moment]) => !isInPlaces || places.includes(moment))))
      .find((texts) => texts.size > 0 && hasRoom(texts, placeOf));
  for (const step of STEPS) {
    if (grain && !isFor(step, grain)) continue;
    const moments = momentsOf(step, first, last, length);
    const shown = isInPlaces ? moments?.filter((moment) => places.includes(moment)) : moments;
    const texts = shown && shown.length > 0 ? textsOf(step, shown) : undefined;
    if (texts && hasRoom(texts, placeOf)) return texts;
  }
  return undefined;
}

/** Months have labels of their own for quarters, and quarters none of months. */
function isFor({ grain: step, count }: Step, grain: PeriodGrain): boolean {
  if (grain === 'quarter') return step === 'quarter' || step === 'year';
  if (step === 'quarter') return false;
  // Weeks begin in the middle of months: their labels name a day.
  if (grain === 'week' && step === 'month' && count === 1) return true;
  return ORDER.indexOf(step) >= ORDER.indexOf(grain);
}

function momentsOf({ grain, count }: Step, first: number, last: number, length: number): number[] | undefined {
  const most = length / (2 * LABEL_SIZE) + 2;
  const moments: number[] = [];
  let at = startOfPeriod(grain, first);
  for (let passed = 0; at <= last; passed += 1) {
    if (passed > most * count + count) return undefined;
    if (at >= first && isNth(grain, at, count)) moments.push(at);
    at = addPeriods(grain, at, 1);
  }
  return moments.length === 0 ? [first] : moments;
}

/** Steps of several periods begin where a reader would count from: at midnight, in January, in a round year. */
function isNth(grain: PeriodGrain, moment: number, count: number): boolean {
  const date = new Date(moment);
  switch (grain) {
    case 'second':
      return date.getUTCSeconds() % count === 0;
    case 'minute':
      return date.getUTCMinutes() % count === 0;
    case 'hour':
      return date.getUTCHours() % count === 0;
    case 'day':
      return (date.getUTCDate() - 1) % count === 0 && (count === 1 || date.getUTCDate() < 31);
    case 'week':
      return Math.floor(moment / 604_800_000) % count === 0;
    case 'month':
      return date.getUTCMonth() % count === 0;
    case 'quarter':
      return true;
    case 'year':
      return date.getUTCFullYear() % count === 0;
  }
}

function textsOf({ text, context }: Step, moments: readonly number[]): Map<number, TickText> {
  const texts = new Map<number, TickText>();
  let before: string | undefined;
  for (const moment of moments) {
    const below = context && d3Time(context, moment);
    texts.set(moment, [d3Time(text, moment) ?? '', ...(below !== undefined && below !== before ? [below] : [])]);
    before = below;
  }
  return texts;
}

function hasRoom(texts: ReadonlyMap<number, TickText>, placeOf: (moment: number) => number): boolean {
  const ends: number[] = [];
  for (const [moment, lines] of texts) {
    for (const [line, text] of lines.entries()) {
      const half = textWidth(text, LABEL_SIZE) / 2;
      if (placeOf(moment) - half < (ends[line] ?? Number.NEGATIVE_INFINITY)) return false;
      ends[line] = placeOf(moment) + half + GAP;
    }
  }
  return true;
}

const isOfFourDigits = (moment: number): boolean => {
  const year = new Date(moment).getUTCFullYear();
  return year >= 1000 && year <= 9999;
};

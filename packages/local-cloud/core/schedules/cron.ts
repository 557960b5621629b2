import { Cron } from 'croner';
import type { WallClock } from './wall-clock.ts';

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
/** AWS counts weekdays from 1 for Sunday. */
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

interface Field {
  min: number;
  max: number;
  names?: string[];
}

const MINUTES: Field = { min: 0, max: 59 };
const HOURS: Field = { min: 0, max: 23 };
const DAYS: Field = { min: 1, max: 31 };
const MONTH: Field = { min: 1, max: 12, names: MONTHS };
const WEEKDAY: Field = { min: 1, max: 7, names: WEEKDAYS };
const YEARS: Field = { min: 1970, max: 2199 };

/** A cron expression of AWS: six fields, `?` in exactly one of the two day fields, `L`, `W`, `#`, 1 = Sunday. */
export class AwsCron {
  readonly #cron: Cron;
  readonly #wallClock: WallClock;

  /** `fields` is what stands between the brackets of `cron(…)`. Throws an `Error` when it is not valid. */
  constructor(fields: string, wallClock: WallClock) {
    const [minutes, hours, days, months, weekdays, years, ...more] = fields.split(' ');
    if (years === undefined || more.length > 0) throw new Error('a cron expression has six fields');
    if ((days === '?') === (weekdays === '?')) throw new Error('one of the day fields must be ?');
    const pattern = [
      '0',
      translate(minutes as string, MINUTES),
      translate(hours as string, HOURS),
      translateDays(days as string),
      translate(months as string, MONTH),
      translateWeekdays(weekdays as string),
      translate(years, YEARS),
    ].join(' ');
    // The pattern runs on wall-clock time, which has no time zone.
    this.#cron = new Cron(pattern, { timezone: 'UTC' });
    this.#wallClock = wallClock;
  }

  /**
   * The first instant after `after`. A wall time skipped in spring does not count; one repeated in autumn counts once.
   */
  next(after: number): number | undefined {
    let wall: Date | null = new Date(this.#wallClock.at(after));
    for (;;) {
      wall = this.#cron.nextRun(wall);
      if (!wall) return undefined;
      const instant = this.#wallClock.instantOf(wall.getTime());
      if (instant !== undefined && instant > after) return instant;
    }
  }
}

function translateDays(text: string): string {
  if (text === '?') return '*';
  if (text === 'L') return text;
  const weekday = /^(\d+)W$/.exec(text);
  return weekday ? `${read(weekday[1] as string, DAYS)}W` : translate(text, DAYS);
}

function translateWeekdays(text: string): string {
  if (text === '?') return '*';
  // The last day of a week is Saturday.
  if (text === 'L') return '6';
  const last = /^(\w+)L$/.exec(text);
  if (last) return `${read(last[1] as string, WEEKDAY) - 1}L`;
  const nth = /^(\w+)#([1-5])$/.exec(text);
  if (nth) return `${read(nth[1] as string, WEEKDAY) - 1}#${nth[2]}`;
  return translate(text, WEEKDAY, -1);
}

/** Rewrites a list of `*`, `5`, `1-5`, `0/15` and `1-5/2`; `shift` is added to every number. */
function translate(text: string, field: Field, shift = 0): string {
  return text
    .split(',')
    .map((item) => {
      const [range = '', step, ...more] = item.split('/');
      if (more.length > 0 || (step !== undefined && !/^[1-9]\d*$/.test(step))) throw new Error(`bad step in ${item}`);
      const [first, last] = bounds(range, field, step !== undefined);
      if (first > last) throw new Error(`${item} ends before it begins`);
      return `${first + shift}-${last + shift}${step === undefined ? '' : `/${step}`}`;
    })
    .join(',');
}

/** `0/15` starts at 0 and runs to the end of the field. */
function bounds(range: string, field: Field, stepped: boolean): [number, number] {
  if (range === '*') return [field.min, field.max];
  const [first = '', last, ...more] = range.split('-');
  if (more.length > 0) throw new Error(`bad range ${range}`);
  const from = read(first, field);
  if (last !== undefined) return [from, read(last, field)];
  return [from, stepped ? field.max : from];
}

function read(text: string, { min, max, names }: Field): number {
  const named = names?.indexOf(text.toUpperCase()) ?? -1;
  const number = named >= 0 ? named + 1 : /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= min && number <= max)) throw new Error(`${text} is out of range`);
  return number;
}

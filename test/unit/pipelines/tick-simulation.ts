import { dueInstants } from '../../../functions/workers/schedule-tick/announce-due.ts';
import { nextInstant } from '../../../shared/schedule/schedule.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WEEK_MS = 7 * 24 * HOUR_MS;
/** A little more than the tick's rhythm, as the tick itself looks ahead. */
const AHEAD_MS = 75_000;

/** Expressions that meet changes of clocks in every way. */
export const EXPRESSIONS = [
  '30 2 * * *',
  '0 0 * * *',
  '15,45 1-3 * * *',
  '*/10 * * * *',
  '0 */2 * * *',
  '5 3 * * 0',
  '0,30 0-5 1-31/2 * *',
  '@hourly',
  '7 * * 3,10 *',
  '0 1,2,3 * * 6-7',
  '*/15 2 * * *',
  '0 2 31 * 0',
];

export interface Window {
  timezone: string;
  cron: string;
  from: number;
  until: number;
}

/** The hours in which a zone changes its clocks: weeks that are not as long as others are looked through. */
export function changesOfClocks(timezone: string, from: number, until: number): number[] {
  const shown = clockOf(timezone);
  const changes: number[] = [];
  let before = shown(from);
  for (let week = from; week < until; week += WEEK_MS) {
    const after = shown(week + WEEK_MS);
    for (let hour = week; after - before !== WEEK_MS && hour < week + WEEK_MS; hour += HOUR_MS) {
      if (shown(hour + HOUR_MS) - shown(hour) !== HOUR_MS) changes.push(hour);
    }
    before = after;
  }
  return changes;
}

/**
 * Ticks once a minute over a window, some seconds late and now and then twice, and answers the instants that it announces,
 * in the order in which it does.
 */
export function tickOver({ timezone, cron, from, until }: Window, random: () => number): number[] {
  const next = (after: Date) => nextInstant({ cron, timezone }, after);
  const announced: number[] = [];
  let dueAt = next(new Date(from - 1));
  for (let minute = from; minute < until && dueAt; minute += MINUTE_MS) {
    const times = random() < 0.01 ? 2 : 1;
    for (let time = 0; time < times && dueAt; time++) {
      const now = new Date(minute + Math.floor(random() * 14_000));
      const ahead = new Date(now.getTime() + AHEAD_MS);
      if (dueAt > ahead) continue;
      const instants = dueInstants(next, dueAt, now, ahead);
      // Whoever fires it asks once more whether it is planned.
      announced.push(...instants.map(Number).filter((at) => next(new Date(at - 1))?.getTime() === at));
      dueAt = next(ahead);
    }
  }
  return announced.filter((instant) => instant >= from && instant < until);
}

/**
 * The same instants by looking at the clock minute by minute: a fixed time fires when the clock first shows it or jumps
 * over it, a rhythm whenever the clock shows it.
 */
export function lookAtTheClock({ timezone, cron, from, until }: Window): number[] {
  const shown = clockOf(timezone);
  const expression = matcherOf(cron);
  const due: number[] = [];
  // Long enough before to know what the clock has shown already.
  let furthest = shown(from - 30 * HOUR_MS);
  for (let minute = from - 30 * HOUR_MS + MINUTE_MS; minute < from; minute += 10 * MINUTE_MS) {
    furthest = Math.max(furthest, shown(minute));
  }
  furthest = Math.max(furthest, shown(from - MINUTE_MS));
  for (let minute = from; minute < until; minute += MINUTE_MS) {
    const local = shown(minute);
    if (expression.isRhythm) {
      if (expression.fits(local)) due.push(minute);
      continue;
    }
    let fits = false;
    for (let time = furthest + MINUTE_MS; time <= local && !fits; time += MINUTE_MS) fits = expression.fits(time);
    if (fits) due.push(minute);
    furthest = Math.max(furthest, local);
  }
  return due;
}

/** What the clocks of a zone show, as if it were UTC. */
function clockOf(timezone: string): (instant: number) => number {
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  return (instant) => {
    // 21/11/2026, 08:05
    const text = clock.format(instant);
    const [year, month, day] = [+text.slice(6, 10), +text.slice(3, 5), +text.slice(0, 2)];
    return Date.UTC(year, month - 1, day, +text.slice(12, 14), +text.slice(15, 17));
  };
}

interface Matcher {
  isRhythm: boolean;
  fits(local: number): boolean;
}

function matcherOf(cron: string): Matcher {
  const [minute, hour, day, month, weekday] = (cron === '@hourly' ? '0 * * * *' : cron).split(' ') as string[];
  const sets = {
    minutes: membersOf(minute!, 0, 59),
    hours: membersOf(hour!, 0, 23),
    days: membersOf(day!, 1, 31),
    months: membersOf(month!, 1, 12),
    weekdays: new Set([...membersOf(weekday!, 0, 7)].map((number) => number % 7)),
  };
  return {
    isRhythm: minute!.startsWith('*') || hour!.startsWith('*'),
    fits(local) {
      const time = new Date(local);
      if (!sets.minutes.has(time.getUTCMinutes()) || !sets.hours.has(time.getUTCHours())) return false;
      if (!sets.months.has(time.getUTCMonth() + 1)) return false;
      const [ofMonth, ofWeek] = [sets.days.has(time.getUTCDate()), sets.weekdays.has(time.getUTCDay())];
      return day === '*' || weekday === '*' ? ofMonth && ofWeek : ofMonth || ofWeek;
    },
  };
}

function membersOf(field: string, lowest: number, highest: number): Set<number> {
  const members = new Set<number>();
  for (const part of field.split(',')) {
    const [range = '', step = '1'] = part.split('/');
    const [first, last = first] = range === '*' ? [lowest, highest] : range.split('-').map(Number);
    for (let number = first!; number <= last!; number += Number(step)) members.add(number);
  }
  return members;
}

/** Ten years of all zones: around every change of clocks and at other times, so many minutes of ticks in all. */
export function* windowsOf(ticks: number, random: () => number): Generator<Window> {
  const [from, until] = [Date.UTC(2026, 0), Date.UTC(2036, 0)];
  const zones = Intl.supportedValuesOf('timeZone').map((timezone) => ({
    timezone,
    changes: changesOfClocks(timezone, from, until),
  }));
  for (let left = ticks, round = 0; left > 0; round++) {
    for (const [number, { timezone, changes }] of zones.entries()) {
      const cron = EXPRESSIONS[(round + number) % EXPRESSIONS.length]!;
      const change = round % 4 < 3 ? changes[(round * 7 + number) % changes.length] : undefined;
      const start = change ?? from + Math.floor((random() * (until - from)) / HOUR_MS) * HOUR_MS;
      yield { timezone, cron, from: start - 2 * HOUR_MS, until: start + 4 * HOUR_MS };
      left -= 360;
    }
  }
}

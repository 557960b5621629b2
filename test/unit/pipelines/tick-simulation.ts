import { dueInstants } from '../../../functions/platform/workers/minute-tick/announce-due.ts';
import { nextInstant, type Schedule } from '../../../shared/platform/schedule/schedule.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
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

/** Some divide an hour and a day, some do not. */
const RHYTHMS = [15, 17, 60, 90, 600, 3600, 5400, 86_400];

export interface Window {
  schedule: { timezone: string; cron: string } | { timezone: string; everySeconds: number };
  from: number;
  until: number;
  /** Nothing ticks meanwhile. */
  outage?: { from: number; until: number };
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

/** Instants that were announced, in the order in which they were, and when there was a tick. */
export interface Ticked {
  announced: number[];
  ticks: number[];
}

/** Ticks once a minute over a window, some seconds late and now and then twice. */
export function tickOver({ schedule, from, until, outage }: Window, random: () => number): Ticked {
  const next = (after: Date) => nextInstant(schedule as Schedule, after);
  const announced: number[] = [];
  const ticks: number[] = [];
  let dueAt = next(new Date(from - 1));
  for (let minute = from; minute < until && dueAt; minute += MINUTE_MS) {
    if (outage && minute >= outage.from && minute < outage.until) continue;
    const times = random() < 0.01 ? 2 : 1;
    for (let time = 0; time < times && dueAt; time++) {
      const now = new Date(minute + Math.floor(random() * 14_000));
      const ahead = new Date(now.getTime() + AHEAD_MS);
      ticks.push(now.getTime());
      if (dueAt > ahead) continue;
      const instants = dueInstants(next, dueAt, now, ahead);
      // The function that fires it checks again whether it is planned.
      announced.push(...instants.map(Number).filter((at) => next(new Date(at - 1))?.getTime() === at));
      dueAt = next(ahead);
    }
  }
  return { announced: announced.filter((instant) => instant >= from && instant < until), ticks };
}

/**
 * What these ticks have to announce: every instant of the window, once. Of those that passed while nothing ticked only
 * the last, and none that is older than a day.
 */
export function toBeAnnounced(window: Window, ticks: readonly number[]): number[] {
  const instants = instantsOf(window);
  let tick = 0;
  return instants.filter((instant, index) => {
    while (tick < ticks.length - 1 && ticks[tick]! + AHEAD_MS < instant) tick++;
    const now = ticks[tick]!;
    if (instant >= now) return true;
    const isLast = index === instants.length - 1 || instants[index + 1]! >= now;
    return isLast && now - instant <= DAY_MS;
  });
}

function instantsOf({ schedule, from, until }: Window): number[] {
  if ('cron' in schedule) return lookAtTheClock({ ...schedule, from, until });
  const everyMs = schedule.everySeconds * 1000;
  const due: number[] = [];
  for (let instant = Math.ceil(from / everyMs) * everyMs; instant < until; instant += everyMs) due.push(instant);
  return due;
}

interface LocalWindow {
  timezone: string;
  cron: string;
  from: number;
  until: number;
}

/**
 * The instants of an expression by looking at the clock minute by minute: a fixed time fires when the clock first shows
 * it or jumps over it, a rhythm whenever the clock shows it.
 */
function lookAtTheClock({ timezone, cron, from, until }: LocalWindow): number[] {
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

const [TEN_YEARS_FROM, TEN_YEARS_UNTIL] = [Date.UTC(2026, 0), Date.UTC(2036, 0)];
const TICKS_OF_A_WINDOW = 360;

export interface Zone {
  timezone: string;
  changes: number[];
}

/** All zones, with the hours of ten years in which they change their clocks. */
export function zonesOfTenYears(): Zone[] {
  return Intl.supportedValuesOf('timeZone').map((timezone) => ({
    timezone,
    changes: changesOfClocks(timezone, TEN_YEARS_FROM, TEN_YEARS_UNTIL),
  }));
}

/** Around every change of clocks of every zone, some of them while nothing ticks for minutes to days. */
export function* changesOf(zones: readonly Zone[], random: () => number): Generator<Window> {
  let number = 0;
  for (const { timezone, changes } of zones) {
    for (const change of changes) {
      const cron = EXPRESSIONS[number++ % EXPRESSIONS.length]!;
      const window = windowAround(change, { timezone, cron });
      yield random() < 0.1 ? withOutage(window, random) : window;
    }
  }
}

/**
 * So many minutes of ticks in one zone after the other, at changes of clocks and at other times, with rhythms and
 * outages among them.
 */
export function* samplesOf(zones: readonly Zone[], ticks: number, random: () => number): Generator<Window> {
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)]!;
  for (let number = 0; number * TICKS_OF_A_WINDOW < ticks; number++) {
    const { timezone, changes } = zones[number % zones.length]!;
    const anyHour = TEN_YEARS_FROM + Math.floor((random() * (TEN_YEARS_UNTIL - TEN_YEARS_FROM)) / HOUR_MS) * HOUR_MS;
    const hour = changes.length > 0 && random() < 0.5 ? pick(changes) : anyHour;
    const schedule = random() < 0.3 ? { timezone, everySeconds: pick(RHYTHMS) } : { timezone, cron: pick(EXPRESSIONS) };
    const window = windowAround(hour, schedule);
    yield random() < 0.3 ? withOutage(window, random) : window;
  }
}

function windowAround(hour: number, schedule: Window['schedule']): Window {
  return { schedule, from: hour - 2 * HOUR_MS, until: hour - 2 * HOUR_MS + TICKS_OF_A_WINDOW * MINUTE_MS };
}

/** As many ticks, before and after an outage of two minutes to three days. */
function withOutage({ schedule, from, until }: Window, random: () => number): Window {
  const minutes = Math.round(2 * (3 * 24 * 30) ** random());
  const start = from + Math.floor(1 + random() * (TICKS_OF_A_WINDOW - 2)) * MINUTE_MS;
  const outage = { from: start, until: start + minutes * MINUTE_MS };
  return { schedule, from, until: until + minutes * MINUTE_MS, outage };
}

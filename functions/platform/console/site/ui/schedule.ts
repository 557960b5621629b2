import { everyOf } from './format.ts';

/** When something happens again and again, as the API stores it. */
export interface Schedule {
  cron?: string;
  everySeconds?: number;
  timezone?: string;
  enabled?: boolean;
}

export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** A schedule as a form shows it. What the form cannot show is `custom`. */
export interface ScheduleFields {
  kind: 'off' | 'hourly' | 'daily' | 'weekdays' | 'weekly' | 'monthly' | 'custom';
  /** Such as `06:00`; of `hourly`, only the minutes count. */
  time: string;
  /** 0 is Sunday. */
  weekday: number;
  day: number;
  cron: string;
  timezone: string;
}

const KEYWORDS: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
};

const pad = (value: number): string => String(value).padStart(2, '0');

const EMPTY: Omit<ScheduleFields, 'timezone'> = { kind: 'off', time: '06:00', weekday: 1, day: 1, cron: '' };

/** `home` is the time zone of a new schedule. */
export function fieldsOf(schedule: Schedule | null, home: string): ScheduleFields {
  const fields = { ...EMPTY, timezone: schedule?.timezone ?? (schedule ? 'UTC' : home) };
  if (!schedule) return fields;
  const { cron, everySeconds } = schedule;
  if (everySeconds === 3600) return { ...fields, kind: 'hourly', time: '00:00' };
  if (cron === undefined) return { ...fields, kind: 'custom', cron: `every ${everySeconds} seconds` };
  return { ...fields, cron, ...simple(KEYWORDS[cron] ?? cron) };
}

/** The fields of an expression that has one of the simple forms. */
function simple(cron: string): Partial<ScheduleFields> & Pick<ScheduleFields, 'kind'> {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = cron.trim().split(/\s+/);
  const isPlain = /^\d+$/.test(minute) && month === '*';
  if (isPlain && hour === '*' && day === '*' && weekday === '*')
    return { kind: 'hourly', time: `00:${pad(Number(minute))}` };
  if (!isPlain || !/^\d+$/.test(hour)) return { kind: 'custom' };
  const time = `${pad(Number(hour))}:${pad(Number(minute))}`;
  if (day === '*' && weekday === '*') return { kind: 'daily', time };
  if (day === '*' && /^(1-5|mon-fri)$/i.test(weekday)) return { kind: 'weekdays', time };
  if (day === '*' && /^[0-7]$/.test(weekday)) return { kind: 'weekly', time, weekday: Number(weekday) % 7 };
  if (/^\d+$/.test(day) && weekday === '*') return { kind: 'monthly', time, day: Number(day) };
  return { kind: 'custom' };
}

/** What the API stores for the fields; `{}` removes a schedule. */
export function scheduleOf({ kind, time, weekday, day, cron, timezone }: ScheduleFields): Schedule {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const at = (rest: string): Schedule => ({ cron: `${minute} ${hour} ${rest}`, timezone });
  switch (kind) {
    case 'off':
      return {};
    case 'hourly':
      return { cron: `${minute} * * * *`, timezone };
    case 'daily':
      return at('* * *');
    case 'weekdays':
      return at('* * 1-5');
    case 'weekly':
      return at(`* * ${weekday}`);
    case 'monthly':
      return at(`${day} * *`);
    case 'custom': {
      const seconds = /^every (\d+) seconds?$/.exec(cron.trim())?.[1];
      return seconds === undefined ? { cron: cron.trim(), timezone } : { everySeconds: Number(seconds) };
    }
  }
}

/** A schedule in words, such as `weekdays 06:00 Berlin`. */
export function scheduleInWords(schedule: Schedule | null): string {
  if (!schedule || (schedule.cron === undefined && schedule.everySeconds === undefined)) return 'no schedule';
  const words = schedule.cron === undefined ? everyInWords(schedule.everySeconds!) : cronInWords(schedule);
  return schedule.enabled === false ? `switched off (${words})` : words;
}

function everyInWords(seconds: number): string {
  for (const [unit, size] of [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
  ] as const)
    if (seconds % size === 0) return everyOf(seconds / size, unit);
  return everyOf(seconds, 'second');
}

function cronInWords(schedule: Schedule): string {
  const { kind, time, weekday, day, cron, timezone } = fieldsOf(schedule, 'UTC');
  const zone = zoneInWords(timezone);
  switch (kind) {
    case 'hourly':
      return time === '00:00' ? 'every hour' : `every hour at :${time.slice(3)}`;
    case 'daily':
      return `daily ${time} ${zone}`;
    case 'weekdays':
      return `weekdays ${time} ${zone}`;
    case 'weekly':
      return `${WEEKDAYS[weekday]}s ${time} ${zone}`;
    case 'monthly':
      return `day ${day} of the month ${time} ${zone}`;
    default:
      return `${cron} ${zone}`;
  }
}

/** The city of a zone, which is how people know it. */
const zoneInWords = (timezone: string): string => timezone.split('/').at(-1)!.replaceAll('_', ' ');

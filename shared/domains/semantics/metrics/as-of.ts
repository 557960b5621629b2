import { Check } from 'typebox/value';
import { Timestamp } from '../../../platform/http/schemas.ts';
import { DAY_MS } from '../../../platform/schedule/durations.ts';
import { instantOf, midnightOf } from './calendar.ts';
import { DateOnly } from './records.ts';

const MINUTE_MS = 60_000;

/**
 * The moment that a request looks at. The current one is rounded down to the minute, so that requests of one minute
 * share cached answers. A date is the end of that day; today, the current moment.
 */
export function momentOf(
  asOf: string | undefined,
  { timezone, now }: { timezone: string; now: Date },
): Date | { code: string; message: string } {
  const current = new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS);
  if (asOf === undefined) return current;
  const isDate = Check(DateOnly, asOf);
  if (!isDate && !Check(Timestamp, asOf)) return NOT_A_TIME;
  const begins = isDate ? instantOf(timezone, midnightOf(asOf)) : new Date(asOf);
  if (begins > now) return IN_FUTURE;
  if (!isDate) return begins;
  const last = new Date(instantOf(timezone, midnightOf(asOf) + DAY_MS).getTime() - 1);
  return last < current ? last : current;
}

const IN_FUTURE = { code: 'IN_FUTURE', message: 'must not be in the future' };
const NOT_A_TIME = {
  code: 'FORMAT',
  message: 'must be a date such as "2026-01-31" or an ISO 8601 timestamp such as "2026-01-31T08:15:30.000Z"',
};

const FORMATS = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATS = 50;

/**
 * Formats an instant given in UTC, such as `2024-06-01T12:00:00.123456`, in a time zone: with an offset such as
 * `+02:00`, or `Z` for UTC.
 */
export function zonedInstant(utc: string, timezone: string): string {
  if (timezone === 'UTC') return `${utc}Z`;
  const moment = new Date(`${utc.slice(0, 23)}Z`);
  const offsetSeconds = offsetOf(moment, timezone);
  const local = new Date(moment.getTime() + offsetSeconds * 1000).toISOString().slice(0, 23);
  return local + utc.slice(23) + offsetText(offsetSeconds);
}

function offsetOf(moment: Date, timezone: string): number {
  const part = formatOf(timezone)
    .formatToParts(moment)
    .find(({ type }) => type === 'timeZoneName');
  const [, sign = '+', hours = '0', minutes = '0', seconds = '0'] =
    /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(part?.value ?? '') ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}

/** Creating a format takes a hundred times as long as using it. */
function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = FORMATS.get(timezone);
  if (known) return known;
  if (FORMATS.size === MAX_FORMATS) FORMATS.clear();
  const made = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' });
  FORMATS.set(timezone, made);
  return made;
}

function offsetText(offsetSeconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const size = Math.abs(offsetSeconds);
  const seconds = size % 60 === 0 ? '' : `:${two(size % 60)}`;
  return `${offsetSeconds < 0 ? '-' : '+'}${two(Math.floor(size / 3600))}:${two(Math.floor(size / 60) % 60)}${seconds}`;
}

import { DAY_MS } from '../../platform/schedule/durations.ts';
/** What the number format of a cell shows: a part of a timestamp, or a number of hours that may exceed a day. */
export type DateKind = 'date' | 'time' | 'moment' | 'duration';

/** Built-in formats, for which the file has no code, including those of East Asian versions. */
const BUILT_IN: [from: number, to: number, kind: DateKind][] = [
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'moment'],
  [27, 31, 'date'],
  [32, 35, 'time'],
  [36, 36, 'date'],
  [45, 45, 'time'],
  [46, 46, 'duration'],
  [47, 47, 'time'],
  [50, 58, 'date'],
];

/** Whether a number format shows dates or times: by its number, or by letters of its code outside of quoted text. */
export function dateKindOf(id: number, code: string | undefined): DateKind | undefined {
  if (code === undefined) return BUILT_IN.find(([from, to]) => id >= from && id <= to)?.[2];
  const [first = ''] = code.split(';');
  const letters = first
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    .toLowerCase();
  if (/general|#|0(?![0]*\s*$)[^.]*#/.test(letters)) return undefined;
  if (/\[(h+|m+|s+)\]/.test(letters)) return 'duration';
  const hasTime = /[hs]/.test(letters);
  const hasDate = /[yd]/.test(letters) || (/m/.test(letters) && !hasTime);
  if (hasDate) return hasTime ? 'moment' : 'date';
  return hasTime ? 'time' : undefined;
}

/** In the usual count, day 60 is 29 February 1900, which did not exist. Earlier days are off by one. */
const EPOCH = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);

/**
 * Formats the number of a cell as a date (`2026-01-31`), a timestamp (`2026-01-31 08:15:30`), a time or a duration
 * (`36:15:30`); null outside of the range of Excel.
 */
export function dateText(serial: number, kind: DateKind, from1904: boolean): string | null {
  if (kind === 'duration') return durationText(serial);
  if (!(serial >= 0) || serial >= 2_958_466) return null;
  const offByOne = !from1904 && serial < 60 ? 1 : 0;
  const epoch = from1904 ? EPOCH_1904 : EPOCH;
  // Binary fractions of a day are precise to a millisecond.
  const moment = new Date(epoch + Math.round((serial + offByOne) * DAY_MS)).toISOString();
  const time = moment.slice(11, 23).replace(/\.000$/, '');
  if (kind === 'date') return moment.slice(0, 10);
  return kind === 'time' && serial < 1 ? time : `${moment.slice(0, 10)} ${time}`;
}

/** Hours, minutes and seconds; hours have at least two digits and no limit. */
function durationText(days: number): string | null {
  const ms = Math.round(Math.abs(days) * DAY_MS);
  if (!Number.isSafeInteger(ms)) return null;
  const [hours, rest] = [Math.floor(ms / 3_600_000), new Date(ms % 3_600_000).toISOString().slice(14, 23)];
  return `${days < 0 && ms > 0 ? '-' : ''}${String(hours).padStart(2, '0')}:${rest.replace(/\.000$/, '')}`;
}

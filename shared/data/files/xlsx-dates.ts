/** What of a moment the number format of a cell shows. */
export type DateKind = 'date' | 'time' | 'moment';

/** Formats that need no code in the file, those of East Asian versions included. */
const BUILT_IN: [from: number, to: number, kind: DateKind][] = [
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'moment'],
  [27, 31, 'date'],
  [32, 35, 'time'],
  [36, 36, 'date'],
  [45, 47, 'time'],
  [50, 58, 'date'],
];

/** Whether a number format shows dates or times: by its number, or by the letters of its code that are no text. */
export function dateKindOf(id: number, code: string | undefined): DateKind | undefined {
  if (code === undefined) return BUILT_IN.find(([from, to]) => id >= from && id <= to)?.[2];
  const [first = ''] = code.split(';');
  const letters = first
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    .toLowerCase();
  if (/general|#|0(?![0]*\s*$)[^.]*#/.test(letters)) return undefined;
  const hasTime = /[hs]/.test(letters);
  const hasDate = /[yd]/.test(letters) || (/m/.test(letters) && !hasTime);
  if (hasDate) return hasTime ? 'moment' : 'date';
  return hasTime ? 'time' : undefined;
}

const DAY_MS = 86_400_000;
/** Day 60 of the usual count is a 29 February 1900 that never was; before it the count is one off. */
const EPOCH = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);

/** The number of a cell as the text of a date (`2026-01-31`), a moment (`2026-01-31 08:15:30`) or a time; null beyond what Excel counts. */
export function dateText(serial: number, kind: DateKind, from1904: boolean): string | null {
  if (!(serial >= 0) || serial >= 2_958_466) return null;
  const offByOne = !from1904 && serial < 60 ? 1 : 0;
  const epoch = from1904 ? EPOCH_1904 : EPOCH;
  // Binary fractions of a day: a millisecond is what they hold.
  const moment = new Date(epoch + Math.round((serial + offByOne) * DAY_MS)).toISOString();
  const time = moment.slice(11, 23).replace(/\.000$/, '');
  if (kind === 'date') return moment.slice(0, 10);
  return kind === 'time' && serial < 1 ? time : `${moment.slice(0, 10)} ${time}`;
}

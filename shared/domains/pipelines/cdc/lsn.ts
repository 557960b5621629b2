/**
 * A position in the write-ahead log, as `00000000/01A2B3C4`. It has all its digits, so positions compare as texts.
 * Postgres reads this form too.
 */
export type Lsn = string;

/** Converts the form that Postgres writes, such as `0/1A2B3C4`. */
export function lsnOf(text: string): Lsn {
  const [high = '', low = ''] = text.split('/');
  return `${high.padStart(8, '0')}/${low.padStart(8, '0')}`.toUpperCase();
}

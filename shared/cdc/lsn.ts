/**
 * A position in the write-ahead log, as `00000000/01A2B3C4`: with all its digits, so that positions compare as texts.
 * Postgres reads this form too.
 */
export type Lsn = string;

/** From the form that Postgres writes, such as `0/1A2B3C4`. */
export function lsnOf(text: string): Lsn {
  const [high = '', low = ''] = text.split('/');
  return `${high.padStart(8, '0')}/${low.padStart(8, '0')}`.toUpperCase();
}

/** The position one byte before. */
export function before(lsn: Lsn): Lsn {
  const digits = (BigInt(`0x${lsn.replace('/', '')}`) - 1n).toString(16).toUpperCase().padStart(16, '0');
  return `${digits.slice(0, 8)}/${digits.slice(8)}`;
}

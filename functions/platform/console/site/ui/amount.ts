import { compactNumber, tickNumber } from '../../../../../shared/data/value-formats/declared-format.ts';
import { type MeasureFormat, measureNumber } from '../../../../../shared/data/value-formats/measure-format.ts';

/** A number as its format says, as on cards and in mails; exact decimals, which are texts, keep their digits. */
export const amountText = (value: number | string | null, format: MeasureFormat | null): string =>
  value === null ? '–' : measureNumber(value, format);

/** Longer numbers are written short where there is little room. */
const MAX_LENGTH = 12;

/** The same for a list: a number with too many digits is rounded to three, as on cards; its tip has all of them. */
export function shortAmountText(value: number | string | null, format: MeasureFormat | null): string {
  const whole = amountText(value, format);
  const number = Number(value);
  if (whole.length <= MAX_LENGTH || !Number.isFinite(number)) return whole;
  const short = compactNumber(Number(number.toPrecision(3)), format);
  return short.length < whole.length ? short : whole;
}

/** A difference with its sign. */
export function changeText(value: number | string | null, format: MeasureFormat | null): string {
  const text = amountText(value, format);
  return Number(value) > 0 ? `+${text}` : text;
}

/** A number of an axis. */
export const tickText = (tick: number, format: MeasureFormat | null): string =>
  tickNumber(tick, format, { isCompact: true });

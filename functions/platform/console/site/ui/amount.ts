import { type MeasureFormat, measureNumber } from '../../../../../shared/data/value-formats/measure-format.ts';

/** A number as its format says, as on cards and in mails; exact decimals, which are texts, keep their digits. */
export const amountText = (value: number | string | null, format: MeasureFormat | null): string =>
  value === null ? '–' : measureNumber(value, format);

/** A difference with its sign. */
export function changeText(value: number | string | null, format: MeasureFormat | null): string {
  const text = amountText(value, format);
  return Number(value) > 0 ? `+${text}` : text;
}

/** A percentage as the API computes it, such as `96.25`, with its sign. */
export const percentText = (percent: number): string =>
  `${percent > 0 ? '+' : ''}${measureNumber(Math.round(percent * 10) / 10, null)}%`;

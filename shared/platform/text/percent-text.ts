import { decimalOf, digitsText, rounded, trimmed } from './decimal.ts';
import { signed } from './number-text.ts';

const DECIMALS = 1;

/** A percentage with one decimal at most, such as `96.3%`. What is something is never called 0%. */
export function percentText(percent: number): string {
  const decimal = decimalOf(percent);
  if (!decimal) return `${percent}%`;
  const shown = trimmed(rounded(decimal, DECIMALS));
  if (percent !== 0 && !/[1-9]/.test(shown.digits)) return percent < 0 ? '−<0.1%' : '<0.1%';
  return signed(shown, `${digitsText(shown)}%`);
}

/** A change in percent with its sign, such as `+4.2%`. */
export function changePercentText(percent: number): string {
  return `${percent > 0 ? '+' : ''}${percentText(percent)}`;
}

/** A part of a whole, from 0 to 1, as a percentage. What is not all is never called 100%. */
export function partText(part: number): string {
  const text = percentText(part * 100);
  return part < 1 && text === '100%' ? '>99.9%' : text;
}

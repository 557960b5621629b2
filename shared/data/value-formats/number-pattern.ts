import { type Decimal, digitsText, rounded, shifted, trimmed } from '../../platform/text/decimal.ts';
import { signed } from '../../platform/text/number-text.ts';

/** A pattern as spreadsheets have them: `#,##0.00`, `0.0%`, `0 "kg"`, `€#,##0`. */
export interface NumberPattern {
  prefix: string;
  minWhole: number;
  isGrouped: boolean;
  minDecimals: number;
  maxDecimals: number;
  isPercent: boolean;
  suffix: string;
}

const LITERAL = String.raw`(?:"[^"]*"|\\.|\[\$[^\]]*\]|[^#0.,%";\\[\]])*`;
const PATTERN = new RegExp(`^(${LITERAL})([#0,]*[#0])(?:\\.([#0]+))?(${LITERAL})(%?)(${LITERAL})$`);
/** Words are no units: such a text is a format of another kind, or a name. */
const MAX_LITERAL = 12;

/** Undefined for a text that is no pattern. Of several sections, the first one counts. */
export function numberPattern(text: string): NumberPattern | undefined {
  const [matched, before = '', whole = '', fraction = '', gap = '', percent = '', after = ''] =
    PATTERN.exec(text.split(';')[0]!) ?? [];
  if (matched === undefined || !/^#*[#,]*[0,]*$/.test(whole) || !/^0*#*$/.test(fraction)) return undefined;
  const [prefix, suffix] = [literalOf(before), `${literalOf(gap)}${percent}${literalOf(after)}`];
  if (Math.max(prefix.length, suffix.length) > MAX_LITERAL) return undefined;
  return {
    prefix,
    minWhole: whole.replaceAll(/[^0]/g, '').length,
    isGrouped: whole.includes(','),
    minDecimals: fraction.replaceAll('#', '').length,
    maxDecimals: fraction.length,
    isPercent: percent !== '',
    suffix,
  };
}

const literalOf = (text: string): string =>
  text.replaceAll(/"([^"]*)"|\\(.)|\[\$([^\]-]*)(?:-[^\]]*)?\]/g, (_, quoted, escaped, currency) =>
    String(quoted ?? escaped ?? currency ?? ''),
  );

export function patternText(decimal: Decimal, pattern: NumberPattern): string {
  const { prefix, suffix, minWhole, minDecimals, maxDecimals, isGrouped, isPercent } = pattern;
  const number = trimmed(rounded(isPercent ? shifted(decimal, 2) : decimal, maxDecimals), minDecimals);
  const missing = minWhole - (number.digits.length - number.scale);
  const padded = missing > 0 ? { ...number, digits: '0'.repeat(missing) + number.digits } : number;
  const digits = digitsText(padded, { decimals: minDecimals, isGrouped });
  return signed(number, `${prefix}${digits}${suffix}`);
}

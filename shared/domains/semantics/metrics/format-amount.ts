import { type DeclaredFormat, formattedNumber } from '../../../data/value-formats/declared-format.ts';
import type { Amount } from './amounts.ts';

/** An amount as people read it, without losing digits of exact decimals. Percentages are ratios: 0.12 is 12 %. */
export const formatAmount = (amount: Amount, format: DeclaredFormat | null): string =>
  amount === null ? '–' : formattedNumber(amount, format);

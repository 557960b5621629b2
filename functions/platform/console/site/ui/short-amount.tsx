import { amountText, shortAmountText } from './amount.ts';

/** A number in a narrow column: one with too many digits is rounded, with the whole number as a tip. */
export const ShortAmount = ({ of: value }: { of: number }) => {
  const [whole, short] = [amountText(value, null), shortAmountText(value, null)];
  return <span title={short === whole ? undefined : whole}>{short}</span>;
};

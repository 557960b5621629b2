import { countOf } from './format.ts';

const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
/** Longer numbers would be cut off. */
const MAX_WRITTEN = 10_000_000;

/** A count in a narrow column: many millions are rounded, such as `1.23B`, with the whole number as a tip. */
export const Count = ({ of: count }: { of: number }) => {
  const isShort = Math.abs(count) >= MAX_WRITTEN;
  return <span title={isShort ? countOf(count) : undefined}>{(isShort ? SHORT.format : countOf)(count)}</span>;
};

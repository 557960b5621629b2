import { countOf } from './format.ts';

const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
/** Longer numbers would be cut off. */
const MAX_WRITTEN = 10_000_000;

interface CountProps {
  of: number;
  /** Whether it is a difference, which is written with its sign. */
  isChange?: boolean;
}

/** A count in a narrow column: many millions are rounded, such as `1.23B`, with the whole number as a tip. */
export function Count({ of: count, isChange = false }: CountProps) {
  const amount = Math.abs(count);
  const isShort = amount >= MAX_WRITTEN;
  const sign = count < 0 ? '−' : isChange ? '+' : '';
  return (
    <span title={isShort ? sign + countOf(amount) : undefined}>
      {sign}
      {(isShort ? SHORT.format : countOf)(amount)}
    </span>
  );
}

import type { Types } from '../../data/client.ts';

/** Such as `currency EUR, 2 decimals`. */
export function formatText({ kind, decimals, currency, pattern, abbreviate }: Types.MeasureFormat): string {
  const parts = [
    currency ? `${kind} ${currency}` : kind,
    decimals !== undefined && `${decimals} decimals`,
    pattern,
    abbreviate && 'abbreviated',
  ];
  return parts.filter(Boolean).join(', ');
}

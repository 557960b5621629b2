/** What is written before an amount, such as `€`, or `CHF` and a space that does not break. */
export function currencySymbol(currency: string | undefined): string {
  const parts = formatOf(currency)?.formatToParts(0) ?? [];
  return parts
    .slice(
      0,
      parts.findIndex(({ type }) => type === 'integer'),
    )
    .map(({ value }) => value)
    .join('');
}

/** How many decimals amounts of the currency have: two for EUR, none for JPY. */
export const currencyDigits = (currency: string | undefined): number =>
  formatOf(currency)?.resolvedOptions().maximumFractionDigits ?? 2;

const FORMATS = new Map<string, Intl.NumberFormat | undefined>();

function formatOf(currency = ''): Intl.NumberFormat | undefined {
  if (!/^[A-Z]{3}$/.test(currency)) return undefined;
  if (!FORMATS.has(currency)) FORMATS.set(currency, new Intl.NumberFormat('en', { style: 'currency', currency }));
  return FORMATS.get(currency);
}

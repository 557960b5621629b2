import { expressionFunction } from 'vega';

const NAME = 'labelText';

// Vega knows the functions of its expressions by their names, for all charts.
expressionFunction(NAME, (value: unknown, texts: unknown) => {
  const known = JSON.parse(decodeURIComponent(String(texts))) as Record<string, string | string[]>;
  const key = value instanceof Date ? value.getTime() : value;
  return known[String(key)] ?? String(key);
});

/**
 * The labels of an axis by their values. The texts are encoded, so that they are no expression; several ones of a
 * label are lines below each other.
 */
export const labelTexts = (
  texts: ReadonlyMap<string | number, string | readonly string[]>,
): Record<string, unknown> => ({
  formatType: NAME,
  format: encodeURIComponent(JSON.stringify(Object.fromEntries(texts))).replaceAll("'", '%27'),
});

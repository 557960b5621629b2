/**
 * The sum of numbers as they are written: floats add 0.1 and 0.2 to more than 0.3. Decimals of the sum that none of the
 * numbers has are rounded away.
 */
export function sumOfDecimals(numbers: readonly number[]): number {
  const sum = numbers.reduce((total, number) => total + number, 0);
  return roundedLike(sum, numbers);
}

/** The difference of two numbers as they are written. */
export const differenceOfDecimals = (one: number, other: number): number => roundedLike(one - other, [one, other]);

/** `toFixed` takes no more. */
const MAX_PLACES = 100;

function roundedLike(result: number, numbers: readonly number[]): number {
  let places = 0;
  for (const number of numbers) {
    const text = String(number);
    if (Number.isInteger(number)) continue;
    // The digits of numbers with an exponent are not counted.
    if (text.includes('e')) return result;
    places = Math.max(places, text.length - text.indexOf('.') - 1);
  }
  // From 1e21 on, `toFixed` writes an exponent, and there are no decimals.
  return Number.isFinite(result) && Math.abs(result) < 1e21
    ? Number(result.toFixed(Math.min(places, MAX_PLACES)))
    : result;
}

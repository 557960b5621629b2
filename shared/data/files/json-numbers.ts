/** Whether a number of a JSON text has a double that is shown with the same digits. */
export function isExactDouble(text: string): boolean {
  const value = Number(text);
  return Number.isFinite(value) && digitsOf(String(value)) === digitsOf(text) && (value !== 0 || digitsOf(text) === '');
}

/** The digits that do not depend on the notation. */
const digitsOf = (text: string): string =>
  text
    .replace(/e.*$/i, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '');

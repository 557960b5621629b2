import { GEOGRAPHIES, type Geography } from './geographies.ts';
import { findPlace } from './places.ts';

/** Fewer places are compared better by bars. */
const MIN_PLACES = 3;
const MIN_SHARE = 0.9;
/** Codes are short, and may also mean something else. */
const LONGEST_CODE = 3;

const NAMED: Readonly<Record<Geography, RegExp>> = {
  countries: /countr|nation|\biso/i,
  'us-states': /state|province|fips/i,
};

/**
 * The map that a column belongs on: nearly all of its values are places of one geography. Codes, and names that are in
 * both, count only if the column is called after what they are.
 */
export function geographyOf(columnName: string, values: readonly string[]): Geography | undefined {
  const given = values.filter((value) => value !== '' && value !== 'null');
  const fits = GEOGRAPHIES.filter((geography) => {
    const known = given.filter((value) => findPlace(geography, value)).length;
    return known >= MIN_PLACES && known >= given.length * MIN_SHARE;
  });
  const named = fits.find((geography) => NAMED[geography].test(columnName));
  const haveNames = given.some((value) => value.length > LONGEST_CODE);
  return named ?? (fits.length === 1 && haveNames ? fits[0] : undefined);
}

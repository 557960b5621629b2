import codes from 'i18n-iso-countries/codes.json' with { type: 'json' };
import names from 'i18n-iso-countries/langs/en.json' with { type: 'json' };
import type { GeometryCollection, Topology } from 'topojson-specification';
import atlas from 'world-atlas/countries-50m.json' with { type: 'json' };

/** What the map shows: Antarctica would take a third of it. */
const LEFT_OUT = new Set(['010']);
/** Reefs that the atlas has apart from the country whose code they have. */
const PARTS = new Set(['Ashmore and Cartier Is.']);
/** A place in use without a code of ISO 3166; `XK` is reserved for users, and common. */
const KOSOVO = { name: 'Kosovo', code: 'XK' };

/** Names that are in use beside those of ISO 3166. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  BO: ['Bolivia'],
  BN: ['Brunei'],
  CD: ['DR Congo', 'Congo-Kinshasa', 'Congo, Democratic Republic of the', 'Dem. Rep. Congo'],
  CG: ['Congo-Brazzaville', 'Congo, Republic of the'],
  CV: ['Cape Verde', 'Cabo Verde'],
  CZ: ['Czechia'],
  FK: ['Falkland Islands'],
  FM: ['Micronesia', 'Federated States of Micronesia'],
  GB: ['United Kingdom of Great Britain and Northern Ireland', 'Britain'],
  HK: ['Hong Kong'],
  KP: ['North Korea'],
  LA: ['Laos'],
  MD: ['Moldova'],
  MM: ['Burma'],
  MO: ['Macau'],
  NL: ['Holland'],
  SX: ['Sint Maarten'],
  SY: ['Syria'],
  SZ: ['Swaziland'],
  TL: ['East Timor'],
  TR: ['Turkiye'],
  VA: ['Vatican', 'Vatican City'],
  VE: ['Venezuela'],
  VG: ['British Virgin Islands'],
  VI: ['US Virgin Islands'],
  VN: ['Vietnam', 'Viet Nam'],
  XK: ['Republic of Kosovo', 'XKX'],
};

export interface NamedPlace {
  id: string;
  name: string;
  /** Codes and further names. */
  keys: string[];
}

const countries = atlas as unknown as Topology<{ countries: GeometryCollection<{ name: string }> }>;
const nameOf = ({ properties }: { properties?: object }): string => (properties as { name: string }).name;

/** The shapes of countries, each with its code. */
export function countryShapes(): Topology<{ places: GeometryCollection }> {
  const geometries = countries.objects.countries.geometries
    .filter((each) => !LEFT_OUT.has(String(each.id)) && !PARTS.has(nameOf(each)))
    .map((each) => {
      const { properties: _properties, ...shape } = each;
      return nameOf(each) === KOSOVO.name ? { ...shape, id: KOSOVO.code } : shape;
    });
  return { ...countries, objects: { places: { type: 'GeometryCollection', geometries } } } as never;
}

/** The countries that have a shape. */
export function namedCountries(): NamedPlace[] {
  const shown = countries.objects.countries.geometries.filter((each) => !PARTS.has(nameOf(each)));
  const drawn = new Map(shown.map((each) => [each.id, nameOf(each)]));
  const english = names.countries as Record<string, string | string[]>;
  const known = (codes as string[][]).flatMap(([alpha2, alpha3, numeric]): NamedPlace[] => {
    if (!drawn.has(numeric) || LEFT_OUT.has(numeric!)) return [];
    const [name, ...others] = [english[alpha2!]!, drawn.get(numeric)!, ...(OTHER_NAMES[alpha2!] ?? [])].flat();
    return [{ id: numeric!, name: name!, keys: [alpha2!, alpha3!, numeric!, ...others] }];
  });
  return [...known, { id: KOSOVO.code, name: KOSOVO.name, keys: [KOSOVO.code, ...OTHER_NAMES[KOSOVO.code]!] }];
}

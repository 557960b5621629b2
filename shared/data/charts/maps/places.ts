import type { Geography } from './geographies.ts';
import { placeKey } from './place-key.ts';
import PLACES from './places.json' with { type: 'json' };

/** A country or a state that a map can show. */
export interface Place {
  /** The id of its shape. */
  id: string;
  name: string;
  /** Its middle, in the coordinates of the map, for places that are too small to see. */
  point: readonly [number, number] | undefined;
}

type Stored = { id: string; name: string; keys: string[]; point?: number[] };

const lists = new Map<Geography, ReadonlyMap<string, Place>>();

/** The places of the geography by their keys, made when they are first needed. */
function placesOf(geography: Geography): ReadonlyMap<string, Place> {
  const known = lists.get(geography);
  if (known) return known;
  const made = new Map<string, Place>();
  for (const { id, name, keys, point } of PLACES[geography] as Stored[]) {
    const place: Place = { id, name, point: point as [number, number] | undefined };
    for (const key of [placeKey(name), ...keys]) if (!made.has(key)) made.set(key, place);
  }
  lists.set(geography, made);
  return made;
}

/** Numeric codes lose their zeros where they are stored as numbers. */
const CODE_DIGITS: Readonly<Record<Geography, number>> = { countries: 3, 'us-states': 2 };

/**
 * The place that a value names: by an ISO 3166 code (`DE`, `DEU`, `276`) or an English name for countries, by a postal
 * code (`CA`), a FIPS code (`06`) or a name for states of the USA.
 */
export function findPlace(geography: Geography, value: unknown): Place | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const key = placeKey(String(value));
  return placesOf(geography).get(/^\d+$/.test(key) ? key.padStart(CODE_DIGITS[geography], '0') : key);
}

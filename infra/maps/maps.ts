import { feature, quantize } from 'topojson-client';
import { filter, filterWeight, presimplify, simplify } from 'topojson-simplify';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { placeKey } from '../../shared/data/charts/maps/place-key.ts';
import { countryShapes, type NamedPlace, namedCountries } from './countries.ts';
import { namedStates, stateShapes } from './us-states.ts';

type Shapes = Topology<{ places: GeometryCollection }>;

/** The files of `shared/data/charts/maps` by name: simplified shapes, and what places are called. */
export function mapFiles(): Record<string, string> {
  const [countries, states] = [countryShapes(), stateShapes()];
  return {
    'countries.geo.json': toJsonText(simplified(countries, 0.1)),
    'us-states.geo.json': toJsonText(simplified(states, 0.5)),
    'places.json': toJsonText({
      countries: placesOf(namedCountries(), countries, 1.2),
      'us-states': placesOf(namedStates(), states, 12),
    }),
  };
}

const toJsonText = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** Borders without detail that a picture as wide as a page cannot show; neighbours keep the same border. */
function simplified(shapes: Shapes, leastArea: number): Shapes {
  const weighed = simplify(presimplify(shapes as never), leastArea);
  const { bbox: _bbox, ...made } = quantize(filter(weighed, filterWeight(weighed, leastArea)), 10_000);
  return made as unknown as Shapes;
}

/** Places smaller than `visible` have a point, in the coordinates of the shapes. */
function placesOf(named: readonly NamedPlace[], shapes: Shapes, visible: number) {
  const boxes = new Map(feature(shapes, shapes.objects.places).features.map((each) => [each.id, boxOf(each.geometry)]));
  return named.map(({ id, name, keys }) => {
    const [west, south, east, north] = boxes.get(id)!;
    const isSmall = Math.max(east - west, north - south) < visible;
    const rounded = (value: number) => Math.round(value * 100) / 100;
    const point = isSmall && { point: [rounded((west + east) / 2), rounded((south + north) / 2)] };
    const all = [...new Set(keys.map(placeKey))].filter((key) => key !== placeKey(name));
    return { id, name, keys: all, ...point };
  });
}

/** Around the largest part of the shape: islands far away do not make a place large. */
function boxOf(geometry: GeoJSON.Geometry): [number, number, number, number] {
  const rings = geometry.type === 'Polygon' ? [geometry.coordinates[0]!] : [];
  if (geometry.type === 'MultiPolygon') rings.push(...geometry.coordinates.map(([outer]) => outer!));
  const boxes = rings.map((ring): [number, number, number, number] => {
    const [xs, ys] = [ring.map(([x]) => x!), ring.map(([, y]) => y!)];
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  });
  const area = ([west, south, east, north]: readonly number[]) => (east! - west!) * (north! - south!);
  return boxes.sort((a, b) => area(b) - area(a))[0]!;
}

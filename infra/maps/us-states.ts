import type { GeometryCollection, Topology } from 'topojson-specification';
import atlas from 'us-atlas/states-albers-10m.json' with { type: 'json' };
import type { NamedPlace } from './countries.ts';

/** Postal codes in the order of the FIPS codes of the states and the District of Columbia. */
const POSTAL_CODES =
  'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY'.split(
    ' ',
  );

const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = { DC: ['Washington DC', 'Washington, D.C.', 'D.C.'] };

const states = atlas as unknown as Topology<{ states: GeometryCollection<{ name: string }> }>;

/** The shapes of states on a plane, with Alaska and Hawaii below the others. */
export function stateShapes(): Topology<{ places: GeometryCollection }> {
  const geometries = states.objects.states.geometries.map(({ properties: _properties, ...shape }) => shape);
  return { ...states, objects: { places: { type: 'GeometryCollection', geometries } } } as never;
}

export function namedStates(): NamedPlace[] {
  const sorted = [...states.objects.states.geometries].sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
  return sorted.map(({ id, properties }, index) => {
    const code = POSTAL_CODES[index]!;
    return {
      id: String(id),
      name: (properties as { name: string }).name,
      keys: [code, String(id), ...(OTHER_NAMES[code] ?? [])],
    };
  });
}
